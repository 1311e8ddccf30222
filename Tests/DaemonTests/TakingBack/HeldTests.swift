import Foundation
import JSON
import Testing

/// Deletions that nobody may have meant, and how a person decides on them.
@Suite("Held deletions")
struct HeldTests {
    /// Ten contacts in files of A's, known to B.
    private static func with(_ body: (World, Machine, Machine, [String: [UInt8]]) throws -> Void) throws {
        try World.with(["A", "B"]) { world, machines in
            for index in 1...10 { try machines[0].put(SampleCard(index).text, as: "\(index).json") }
            try machines[1].expectCount(10, "all arrive")
            try world.rest()
            var files: [String: [UInt8]] = [:]
            for file in machines[0].fileNames { files[file] = machines[0].bytes(of: file) }
            try body(world, machines[0], machines[1], files)
        }
    }

    private static func expectState(_ machine: Machine, held: Bool, _ claim: String) throws {
        try eventually(claim) {
            let book = try machine.bookStatus()
            return (book["state"]?.string == "held") == held && (book["held"] != nil) == held
                ? nil : JSONWriter.text(book).shortened(to: 300)
        }
    }

    @Test("Nine of ten deleted are held and named; `--delete` says that they were meant")
    func meant() throws {
        try Self.with { world, a, b, _ in
            for index in 1...9 { try a.remove("\(index).json") }
            try Self.expectState(a, held: true, "they are held")
            let held = try a.bookStatus()["held"]
            let names = (held?["deletions"]?.array ?? []).compactMap { $0["name"]?.string }
            #expect(names == (1...9).map { SampleCard($0).name })
            #expect(held?["from"] == .null && held?["reason"]?.string?.isEmpty == false)
            #expect(try a.cli("status").exit == 1)
            // What is added flows meanwhile.
            try a.put(SampleCard(11).text, as: "11.json")
            try b.expectCount(11, "an addition arrives")
            try a.must("resume", Machine.book, "--delete")
            try a.expectNames(["Person 010", "Person 011"], "they are deleted")
            try Self.expectState(a, held: false, "nothing is held any more")
            try a.settle()
            // The other side was not asked yet.
            try Self.expectState(b, held: true, "the other side asks too")
            try b.must("resume", Machine.book, "--delete")
            try b.expectNames(["Person 010", "Person 011"], "they are deleted there")
            try b.expectOneWholeFileEach("and their files")
        }
    }

    @Test("A hold, since when it stands, and what is missing from an array outlive a sudden end")
    func heldThroughCrash() throws {
        try World.with(["A"]) { _, machines in
            let a = machines[0]
            let cards = (1...10).map { SampleCard($0).text }
            func put(_ cards: some Sequence<String>) throws {
                try a.put("[" + cards.joined(separator: ",") + "]", as: "all.json")
            }
            try put(cards)
            try a.expectCount(10, "all are read")
            try a.settle()
            // Two of ten are a deletion, seen once when the daemon ends and a second time after it.
            try put(cards.dropLast(2))
            try waitUntil("the file is read") { try a.bookStatus()["state"]?.string == "scanning" }
            a.kill9()
            try a.start()
            try a.expectCount(8, "the deletion is carried out")
            try a.settle(Window.absence)
            #expect(a.fileNames == ["all.json"], "nobody is written anew")
            // Seven more are held.
            try put(cards.prefix(1))
            try Self.expectState(a, held: true, "they are held")
            let held = try a.bookStatus()["held"]
            #expect(held?["reason"]?.string?.contains("9 of 10 contacts") == true)
            a.kill9()
            try a.start()
            try Self.expectState(a, held: true, "they are held still")
            #expect(try a.bookStatus()["held"] == held)
            #expect(a.fileNames == ["all.json"])
            try put(cards.prefix(8))
            try Self.expectState(a, held: false, "they are back")
            try a.settle(Window.absence)
            try a.expectCount(8, "nobody is gone")
            #expect(a.fileNames == ["all.json"])
        }
    }

    @Test(
        "What a peer's deletions hold is not passed on; each machine decides for itself, and nothing is lost by it"
    )
    func heldFromPeer() throws {
        try World.with(["A", "B", "C"], shape: .mesh) { world, machines in
            let (a, b, c) = (machines[0], machines[1], machines[2])
            for index in 1...10 { try a.put(SampleCard(index).text, as: "\(index).json") }
            for machine in machines { try machine.expectCount(10, "all arrive") }
            try world.rest()
            // C hears of A through B only.
            for link in world.links where link.from !== b && link.to !== b { link.proxy.cut() }
            for index in 1...9 { try a.remove("\(index).json") }
            try Self.expectState(a, held: true, "they are held where they were made")
            try a.must("resume", Machine.book, "--delete")
            try a.expectCount(1, "they are deleted")
            try Self.expectState(b, held: true, "B asks")
            let held = try b.bookStatus()["held"]
            #expect(held?["from"]?.string == "A")
            #expect(
                (held?["deletions"]?.array ?? []).compactMap { $0["name"]?.string }.sorted()
                    == (1...9).map { SampleCard($0).name }
            )
            #expect(held?["since"]?.string?.isEmpty == false)
            try eventually("A is told that B waits for somebody") {
                let answer = try a.cli("status")
                return answer.exit == 1
                    && answer.out.contains("HELD THERE  B does not take 9 changes of ours in personal")
                    ? nil : answer.out
            }
            // The feed goes on past them.
            try a.put(SampleCard(11).text, as: "11.json")
            for machine in [b, c] { try machine.expectCount(11, "what else A says arrives") }
            try b.restart()
            try world.rest(Window.absence)
            #expect(try b.bookStatus()["held"] == held, "also after a restart")
            for machine in [b, c] { try machine.expectCount(11, "nobody is deleted") }
            #expect(try c.bookStatus()["held"] == nil, "nothing held is passed on")
            try b.must("resume", Machine.book, "--restore")
            for machine in machines {
                try machine.expectCount(11, "they live on, everywhere")
                try machine.expectOneWholeFileEach("with their files")
            }
            try world.expectEqual("all show the same")
            try Self.expectState(b, held: false, "B has decided")
            let again = try b.must("resume", Machine.book, "--delete")
            #expect(again.out == "nothing of personal was held\n")
        }
    }

    @Test("Files that come back one after the other release the book by themselves, and no one was deleted")
    func back() throws {
        try Self.with { world, a, b, files in
            for index in 1...9 { try a.remove("\(index).json") }
            try Self.expectState(a, held: true, "they are held")
            for (index, file) in files.keys.sorted().enumerated() {
                try a.put(files[file] ?? [], as: file)
                // Seen one by one, the last ones would be few enough for a deletion by hand.
                if index % 3 == 2 {
                    try waitUntil("it is read") { try a.bookStatus()["files"]?.integer ?? 0 >= index }
                }
            }
            try Self.expectState(a, held: false, "the book is released")
            try world.rest(Window.absence)
            for machine in [a, b] {
                try machine.expectCount(10, "all are there")
                #expect(try machine.must("trash", Machine.book, "--json").json?.array?.isEmpty == true)
            }
            for (file, bytes) in files { #expect(a.bytes(of: file) == bytes) }
        }
    }

    @Test(
        "An empty directory with a marker made by hand is not ours; `--restore` fills it, `--delete` empties the book",
        arguments: [true, false]
    )
    func markerByHand(restores: Bool) throws {
        try Self.with { world, a, b, _ in
            let marker = try String(contentsOfFile: a.path(".contactsync"), encoding: .utf8)
            try a.stop()
            try FileManager.default.removeItem(atPath: a.directory)
            try FileManager.default.createDirectory(atPath: a.directory, withIntermediateDirectories: false)
            try marker.write(toFile: a.path(".contactsync"), atomically: false, encoding: .utf8)
            try a.start()
            try Self.expectState(a, held: true, "it is not ours")
            try world.waitConnected()
            try world.rest(Window.absence)
            #expect(a.fileNames.isEmpty, "nothing is written there")
            for machine in [a, b] { try machine.expectCount(10, "nothing is deleted") }
            try a.must("resume", Machine.book, restores ? "--restore" : "--delete")
            try Self.expectState(a, held: false, "a person has decided")
            try a.expectCount(restores ? 10 : 0, "as decided")
            try a.expectOneWholeFileEach("the directory shows it")
            if restores { try world.expectEqual("both are whole") }
        }
    }

    @Test(
        "A look in the middle of `git stash -u`, which takes files and marker away and brings them back, deletes nothing"
    )
    func stash() throws {
        try Self.with { world, a, b, files in
            let away = a.home + "/stash"
            try FileManager.default.createDirectory(atPath: away, withIntermediateDirectories: false)
            let names = [".contactsync"] + files.keys.sorted()
            for name in names {
                try FileManager.default.moveItem(atPath: a.path(name), toPath: away + "/" + name)
            }
            try a.must("rescan", Machine.book)
            try Self.expectState(a, held: true, "the book is held")
            try world.rest(Window.absence)
            #expect(a.fileNames.isEmpty)
            #expect(!a.exists(".contactsync"), "git would not overwrite a new one")
            // Brought back by copies: other inodes, other times.
            for name in names {
                try FileManager.default.copyItem(atPath: away + "/" + name, toPath: a.path(name))
            }
            try Self.expectState(a, held: false, "the book is released")
            try world.rest(Window.absence)
            for machine in [a, b] {
                try machine.expectCount(10, "all are there")
                #expect(try machine.must("trash", Machine.book, "--json").json?.array?.isEmpty == true)
            }
            #expect(a.fileNames.count == 10 && b.fileNames.count == 10)
        }
    }
}
