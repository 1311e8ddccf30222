import AddressBook
import BookDirectory
import Glibc
import Testing

/// Others save while we write; whatever they saved must be found again.
@Suite struct RaceTests {
    let scratch = Scratch()

    /// A save by others through a plain path, for the closures of `FileCalls`.
    static func save(_ path: String, _ text: String, inPlace: Bool) {
        let target = inPlace ? path : path + "~"
        let file = open(target, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        _ = write(file, text, text.utf8.count)
        close(file)
        if !inPlace { rename(target, path) }
    }

    @Test("a save between compare and swap stays in place", arguments: [true, false])
    func between(inPlace: Bool) {
        scratch.put("a.json", "old")
        let path = scratch.book + "/a.json"
        let calls = FileCalls.before(.exchange) { number in
            if number == 1 { Self.save(path, "theirs", inPlace: inPlace) }
        }
        let results = scratch.writer(calls).write([scratch.edit("a.json", "old", "new")])
        #expect(results == [.overtaken(aside: [])])
        #expect(scratch.text("a.json") == "theirs")
        #expect(scratch.names == ["a.json"])
    }

    @Test(
        "two saves around the swap: the later stays in place, the earlier is told as an edit",
        arguments: [true, false]
    )
    func twice(inPlace: Bool) {
        scratch.put("a.json", "old")
        let path = scratch.book + "/a.json"
        let calls = FileCalls.before(.exchange) { number in
            if number == 1 { Self.save(path, "first", inPlace: inPlace) }
            if number == 2 { Self.save(path, "second", inPlace: inPlace) }
        }
        let writer = scratch.writer(calls)
        let results = writer.write([scratch.edit("a.json", "old", "new")])
        guard case .overtaken(let aside) = results[0], var old = aside.first else {
            Issue.record("\(results)")
            return
        }
        #expect(scratch.text("a.json") == "second")
        #expect(writer.settle(&old, now: 0) == .changed(bytes: Array("first".utf8)))
        old.accept(scratch.hash("first"))
        guard case .gone(kept: _?) = writer.settle(&old, now: 0) else {
            Issue.record("it goes once it is dealt with")
            return
        }
        #expect(scratch.trashed == ["first"])
        #expect(scratch.names == ["a.json"])
    }

    @Test("saves without end lose at most their order")
    func always() {
        scratch.put("a.json", "old")
        let path = scratch.book + "/a.json"
        let calls = FileCalls.before(.exchange) { Self.save(path, "save \($0)", inPlace: false) }
        let results = scratch.writer(calls).write([scratch.edit("a.json", "old", "new")])
        guard case .overtaken(let aside) = results[0] else {
            Issue.record("\(results)")
            return
        }
        // Every save but the first came upon another one and replaced it, as saves do.
        #expect(aside.count == 1)
        #expect(scratch.names.count == 2)
        #expect(scratch.text("a.json")?.hasPrefix("save") == true)
        #expect(aside.first.flatMap { scratch.text($0.temporaryName) }?.hasPrefix("save") == true)
    }

    @Test("a file removed between compare and swap stays removed")
    func removed() {
        scratch.put("a.json", "old")
        let path = scratch.book + "/a.json"
        let calls = FileCalls.before(.exchange) { _ in unlink(path) }
        #expect(scratch.writer(calls).write([scratch.edit("a.json", "old", "new")]) == [.missing])
        #expect(scratch.names.isEmpty)
    }

    @Test("a save that came out goes back, though our file was removed meanwhile")
    func removedAfter() {
        scratch.put("a.json", "old")
        let path = scratch.book + "/a.json"
        let calls = FileCalls.before(.exchange) { number in
            if number == 1 { Self.save(path, "theirs", inPlace: false) } else { unlink(path) }
        }
        #expect(
            scratch.writer(calls).write([scratch.edit("a.json", "old", "new")]) == [.overtaken(aside: [])]
        )
        #expect(scratch.text("a.json") == "theirs")
        #expect(scratch.names == ["a.json"])
    }

    @Test("a directory put in the place of the file is put back")
    func directory() {
        scratch.put("a.json", "old")
        let path = scratch.book + "/a.json"
        let calls = FileCalls.before(.exchange) { number in
            guard number == 1 else { return }
            unlink(path)
            mkdir(path, 0o700)
        }
        #expect(
            scratch.writer(calls).write([scratch.edit("a.json", "old", "new")]) == [.overtaken(aside: [])]
        )
        #expect(scratch.names == ["a.json"])
        #expect((try? scratch.folder().stat("a.json"))??.kind == .directory)
    }

    @Test("a name taken between compare and rename is left alone")
    func takenMeanwhile() {
        let path = scratch.book + "/a.json"
        let calls = FileCalls.before(.noReplace) { _ in Self.save(path, "theirs", inPlace: true) }
        #expect(scratch.writer(calls).write([scratch.new("a.json", "ours")]) == [.exists])
        #expect(scratch.text("a.json") == "theirs")
        #expect(scratch.names == ["a.json"])
    }

    @Test("a save over our new file does not pass for it")
    func savedOver() throws {
        scratch.put("a.json", "old")
        let path = scratch.book + "/a.json"
        var calls = FileCalls.linux
        calls.rename = { folder, from, to, how throws(Errno) in
            try FileCalls.linux.rename(folder, from, to, how)
            if how == .exchange { Self.save(path, "newer", inPlace: false) }
        }
        guard
            case .done(let stamp, _, _) = scratch.writer(calls).write([scratch.edit("a.json", "old", "new")])[
                0
            ]
        else {
            Issue.record("the swap took place")
            return
        }
        #expect(stamp != (try scratch.folder().stat("a.json")?.stamp))
        #expect(scratch.text("a.json") == "newer")
    }

    @Test("a save between compare and removal goes back to its name")
    func removeRace() {
        scratch.put("a.json", "old")
        let path = scratch.book + "/a.json"
        let calls = FileCalls.before(.noReplace) { if $0 == 1 { Self.save(path, "theirs", inPlace: false) } }
        #expect(
            scratch.writer(calls).remove("a.json", expected: scratch.hash("old")) == .overtaken(aside: [])
        )
        #expect(scratch.text("a.json") == "theirs")
        #expect(scratch.names == ["a.json"])
    }

    @Test("two saves around a removal are both found")
    func removeTwice() {
        scratch.put("a.json", "old")
        let path = scratch.book + "/a.json"
        let calls = FileCalls.before(.noReplace) { Self.save(path, "save \($0)", inPlace: false) }
        let writer = scratch.writer(calls)
        guard case .overtaken(let aside) = writer.remove("a.json", expected: scratch.hash("old")),
            var old = aside.first
        else {
            Issue.record("it is overtaken")
            return
        }
        #expect(scratch.text("a.json") == "save 2")
        #expect(writer.settle(&old, now: 0) == .changed(bytes: Array("save 1".utf8)))
    }
}
