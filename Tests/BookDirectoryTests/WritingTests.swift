import AddressBook
import BookDirectory
import Glibc
import Testing

@Suite struct WritingTests {
    let scratch = Scratch()

    @Test("a new file has its bytes, is its owner's only, and leaves nothing beside it")
    func new() throws {
        let results = scratch.writer().write([scratch.new("a.json", "1")])
        guard case .done(let stamp, nil, nil) = results[0] else {
            Issue.record("\(results)")
            return
        }
        #expect(stamp == (try scratch.folder().stat("a.json")?.stamp))
        #expect(stamp.mode & 0o777 == 0o600)
        #expect(scratch.text("a.json") == "1")
        #expect(scratch.names == ["a.json"])
    }

    @Test(
        "a new name that is taken is left alone",
        arguments: [FileCalls.linux, .plain(links: true), .plain(links: false)]
    )
    func taken(calls: FileCalls) {
        scratch.put("a.json", "theirs")
        #expect(scratch.writer(calls).write([scratch.new("a.json", "ours")]) == [.exists])
        #expect(scratch.text("a.json") == "theirs")
        #expect(scratch.names == ["a.json"])
    }

    @Test("a file system without exchange and links is written too", arguments: [true, false])
    func plain(links: Bool) throws {
        scratch.put("a.json", "old")
        let writer = scratch.writer(.plain(links: links))
        let results = writer.write([scratch.edit("a.json", "old", "new"), scratch.new("b.json", "b")])
        for (result, name) in zip(results, ["a.json", "b.json"]) {
            guard case .done(let stamp, _, nil) = result else {
                Issue.record("\(result)")
                continue
            }
            #expect(stamp == (try scratch.folder().stat(name)?.stamp))
        }
        #expect(scratch.text("a.json") == "new")
        #expect(scratch.text("b.json") == "b")
        #expect(scratch.trashed == ["old"])
        #expect(scratch.names == ["a.json", "b.json"])
    }

    @Test("a replaced file keeps mode, owner and attributes, and its bytes go to the trash")
    func attributes() throws {
        scratch.put("a.json", "old")
        let path = scratch.book + "/a.json"
        chmod(path, 0o640)
        if getuid() == 0 { chown(path, 1234, 2345) }
        let before = try #require(try scratch.folder().stat("a.json"))
        let hasAttribute = setAttribute(path)
        let results = scratch.writer().write([scratch.edit("a.json", "old", "new")])
        guard case .done(let stamp, let kept?, nil) = results[0] else {
            Issue.record("\(results)")
            return
        }
        #expect(stamp.mode == before.stamp.mode)
        #expect(stamp.inode != before.stamp.inode)
        let owner = status(path)
        if getuid() == 0 { #expect((owner.st_uid, owner.st_gid) == (1234, 2345)) }
        if hasAttribute { #expect(getAttribute(path) == "kept") }
        #expect(try scratch.trash().read(kept) == Array("old".utf8))
        #expect(scratch.names == ["a.json"])
    }

    @Test("what is not there or not as expected is not written, and nothing is left behind")
    func unexpected() {
        scratch.put("a.json", "other")
        mkdir(scratch.book + "/d.json", 0o700)
        let results = scratch.writer().write([
            scratch.edit("a.json", "old", "new"),
            scratch.edit("b.json", "old", "new"),
            scratch.edit("d.json", "old", "new"),
        ])
        #expect(results == [.overtaken(aside: []), .missing, .overtaken(aside: [])])
        #expect(scratch.names == ["a.json", "d.json"])
        #expect(scratch.text("a.json") == "other")
    }

    @Test("a large batch is flushed once, and each write has its own result")
    func batch() {
        let steps = Steps()
        var calls = FileCalls.linux
        calls.syncFileSystem = { folder throws(Errno) in
            _ = steps.count("syncfs")
            try FileCalls.linux.syncFileSystem(folder)
        }
        for i in 0..<50 { scratch.put("\(i).json", "old") }
        scratch.put("7.json", "theirs")
        let results = scratch.writer(calls).write(
            (0..<60).map { i in
                i < 50 ? scratch.edit("\(i).json", "old", "\(i)") : scratch.new("\(i).json", "\(i)")
            }
        )
        #expect(steps.count("syncfs") == 2)
        for (i, result) in results.enumerated() {
            if i == 7 {
                #expect(result == .overtaken(aside: []))
            } else if case .done = result {
                #expect(scratch.text("\(i).json") == "\(i)")
            } else {
                Issue.record("\(result)")
            }
        }
        #expect(scratch.trashed == [String](repeating: "old", count: 49))
        #expect(scratch.names.count == 60)
    }

    @Test("what is ready is not to be seen before it is swapped in, and nothing stays of what is discarded")
    func ready() {
        scratch.put("a.json", "old")
        let writes = [scratch.edit("a.json", "old", "new"), scratch.new("b.json", "new")]
        let writer = scratch.writer()
        writer.discard(writer.prepare(writes))
        #expect(scratch.names == ["a.json"])
        let ready = writer.prepare(writes)
        #expect(scratch.text("a.json") == "old" && scratch.text("b.json") == nil)
        #expect(scratch.names.count == 3 && scratch.trashed.isEmpty)
        for result in writer.swap(ready) {
            if case .done = result { continue }
            Issue.record("\(result)")
        }
        #expect(scratch.text("a.json") == "new" && scratch.text("b.json") == "new")
        #expect(scratch.names == ["a.json", "b.json"] && scratch.trashed == ["old"])
    }

    @Test("a save that comes when the new bytes are ready is not overwritten")
    func saveMeanwhile() {
        scratch.put("a.json", "old")
        let writer = scratch.writer()
        let ready = writer.prepare([scratch.edit("a.json", "old", "new"), scratch.new("b.json", "new")])
        scratch.replace("a.json", "theirs")
        scratch.put("b.json", "theirs")
        #expect(writer.swap(ready) == [.overtaken(aside: []), .exists])
        #expect(scratch.text("a.json") == "theirs" && scratch.text("b.json") == "theirs")
        #expect(scratch.names == ["a.json", "b.json"])
    }

    @Test("a full disk changes nothing", arguments: ["write", "sync", "syncfs", "rename"])
    func fullDisk(what: String) {
        var calls = FileCalls.linux
        switch what {
        case "write": calls.write = { _, _ throws(Errno) in throw Errno(ENOSPC) }
        case "sync": calls.sync = { _ throws(Errno) in throw Errno(EIO) }
        case "syncfs": calls.syncFileSystem = { _ throws(Errno) in throw Errno(EIO) }
        default: calls.rename = { _, _, _, _ throws(Errno) in throw Errno(ENOSPC) }
        }
        let count = what == "syncfs" ? 20 : 2
        for i in 0..<count { scratch.put("\(i).json", "old") }
        let names = scratch.names
        let results = scratch.writer(calls).write(
            (0..<count).map { scratch.edit("\($0).json", "old", "new") }
        )
        for (i, result) in results.enumerated() {
            guard case .failed(let error, aside: []) = result else {
                Issue.record("\(result)")
                continue
            }
            #expect(error.path == scratch.book + "/\(i).json")
            #expect(scratch.text("\(i).json") == "old")
        }
        #expect(scratch.names == names)
        #expect(scratch.trashed.isEmpty)
    }

    @Test("a trash that refuses leaves the old file where it is until it takes it")
    func fullTrash() {
        scratch.put("a.json", "old")
        var refusing = FileCalls.linux
        refusing.write = { _, _ throws(Errno) in throw Errno(ENOSPC) }
        let results = scratch.writer(trashCalls: refusing).write([scratch.edit("a.json", "old", "new")])
        guard case .done(_, kept: nil, var old?) = results[0] else {
            Issue.record("\(results)")
            return
        }
        #expect(scratch.text(old.temporaryName) == "old")
        guard case .failed = scratch.writer(trashCalls: refusing).settle(&old, now: 0) else {
            Issue.record("the trash still refuses")
            return
        }
        guard case .gone(kept: _?) = scratch.writer().settle(&old, now: 1) else {
            Issue.record("the trash takes it")
            return
        }
        #expect(scratch.trashed == ["old"])
        #expect(scratch.names == ["a.json"])
    }

    @Test("another directory in the place of the book's is not touched")
    func anotherDirectory() throws {
        let identity = try #require(try scratch.folder().identity())
        rename(scratch.book, scratch.root + "/away")
        mkdir(scratch.book, 0o700)
        scratch.put("a.json", "old")
        let writer = Writer(
            folder: scratch.folder(),
            identity: identity,
            trash: scratch.trash(),
            hash: scratch.hash
        )
        guard case .failed = writer.write([scratch.new("b.json", "b")])[0],
            case .failed = writer.remove("a.json", expected: scratch.hash("old"))
        else {
            Issue.record("nothing is written there")
            return
        }
        #expect(scratch.names == ["a.json"])
    }

    @Test("a file is removed if it is as expected, and kept in the trash")
    func remove() throws {
        scratch.put("a.json", "old")
        let writer = scratch.writer()
        #expect(writer.remove("a.json", expected: scratch.hash("other")) == .overtaken(aside: []))
        #expect(scratch.text("a.json") == "old")
        guard case .done(let kept?, nil) = writer.remove("a.json", expected: scratch.hash("old")) else {
            Issue.record("it is removed")
            return
        }
        #expect(try scratch.trash().read(kept) == Array("old".utf8))
        #expect(scratch.names.isEmpty)
        #expect(writer.remove("a.json", expected: scratch.hash("old")) == .missing)
    }
}
