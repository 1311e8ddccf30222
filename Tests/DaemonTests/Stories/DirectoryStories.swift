import Foundation
import Glibc
import JSON
import Testing

/// Directories that go and come, and events that never came.
@Suite("Stories of directories")
struct DirectoryStories {
    /// Files dropped at once; 50,000 of them by hand (`CONTACTSYNC_DROP=50000`).
    static let dropped = ProcessInfo.processInfo.environment["CONTACTSYNC_DROP"].flatMap { Int($0) } ?? 1500

    private static func expectHeld(_ machine: Machine, _ held: Bool, _ claim: String) throws {
        try eventually(claim) {
            let book = try machine.bookStatus()
            return (book["state"]?.string == "held") == held ? nil : JSONWriter.text(book).shortened(to: 300)
        }
    }

    private static func expectNobodyDeleted(_ machines: [Machine], _ count: Int) throws {
        for machine in machines {
            try machine.expectCount(count, "all are there")
            #expect(try machine.must("trash", Machine.book, "--json").json?.array?.isEmpty == true)
        }
    }

    /// A's book lies on a disk that only its daemon has mounted; B is an onlooker.
    private static func withDisk(_ body: (World, Machine, Machine, String) throws -> Void) throws {
        try World.with { world in
            var options = MachineOptions()
            options.hasOwnMounts = true
            let (a, b) = try (world.add("A", options), world.add("B"))
            let disk = a.home + "/disk"
            try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
            // Mounted before the daemon looks: it starts as a shell that becomes the daemon.
            try world.connect()
            for machine in world.machines { try machine.start() }
            try body(world, a, b, disk)
        }
    }

    @Test(
        "An unplugged disk deletes nothing and nothing is written in its place; plugged in again it goes on by itself",
        .enabled(if: Executables.unshare != nil, "needs mounts of its own")
    )
    func disk() throws {
        try Self.withDisk { world, a, b, disk in
            // Where no event tells of a mount, a look does.
            try a.runBesideDaemon("mount", "--bind", disk, a.directory)
            try a.must("rescan", Machine.book)
            for index in 1...8 {
                try a.put(SampleCard(index).text, as: "../disk/\(index).json")
            }
            try b.expectCount(8, "all arrive")
            try world.rest()
            try a.runBesideDaemon("umount", "-l", a.directory)
            try a.must("rescan", Machine.book)
            try Self.expectHeld(a, true, "the disk is missed")
            let held = try a.bookStatus()["held"]
            #expect(held?["since"]?.string?.isEmpty == false && held?["reason"]?.string?.isEmpty == false)
            try b.put(SampleCard(9).text, as: "9.json")
            try a.expectCount(9, "what others add is known")
            try world.rest(Window.absence)
            #expect(a.fileNames.isEmpty, "nothing is written below the mount")
            try Self.expectNobodyDeleted([a, b], 9)
            try a.runBesideDaemon("mount", "--bind", disk, a.directory)
            try Self.expectHeld(a, false, "it is found by itself")
            try Self.expectNobodyDeleted([a, b], 9)
            try waitUntil("what was added meanwhile is written") {
                try FileManager.default.contentsOfDirectory(atPath: disk).count { $0.hasSuffix(".json") } == 9
            }
        }
    }

    @Test(
        "A mount over the directory deletes nothing, and is over when it is gone",
        .enabled(if: Executables.unshare != nil, "needs mounts of its own")
    )
    func mountOver() throws {
        try Self.withDisk { world, a, b, _ in
            for index in 1...8 { try a.put(SampleCard(index).text, as: "\(index).json") }
            try b.expectCount(8, "all arrive")
            try world.rest()
            try a.runBesideDaemon("mount", "-t", "tmpfs", "none", a.directory)
            // A peer's edit is not written into what lies over it.
            var edited = SampleCard(3)
            edited.note = "written on B"
            guard let file = try b.person(edited.uid)?.file else { throw Failure("no file") }
            try b.put(edited.text, as: file)
            try waitUntil("the edit is known") { try a.person(edited.uid)?.card["notes"] != nil }
            try a.must("rescan", Machine.book)
            try Self.expectHeld(a, true, "another directory lies there")
            try world.rest(Window.absence)
            let over = a.seenByDaemon(a.directory)
            #expect(try FileManager.default.contentsOfDirectory(atPath: over).isEmpty)
            try Self.expectNobodyDeleted([a, b], 8)
            try a.runBesideDaemon("umount", a.directory)
            try Self.expectHeld(a, false, "it is ours again")
            try eventually("the edit is written") {
                let card = try parsed(a.bytes(of: "3.json") ?? [])
                return edited.value.difference(to: card)
            }
            try Self.expectNobodyDeleted([a, b], 8)
        }
    }

    @Test("Events that were lost cost nothing: what was saved, changed and removed meanwhile is all found")
    func overflow() throws {
        let limit =
            (try? String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8))
            .flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) } ?? 16_384
        try World.with(["A", "B"]) { world, machines in
            let (a, b) = (machines[0], machines[1])
            for index in 1...20 { try a.put(SampleCard(index).text, as: "\(index).json") }
            try b.expectCount(20, "all arrive")
            try world.rest()
            a.daemon?.signal(SIGSTOP)
            // Fills the queue, so that what follows is told by no event. The kernel folds only equal neighbours.
            for round in 0..<(limit / 2 + 1000) {
                let path = a.path(round.isMultiple(of: 2) ? "x.json" : "y.json")
                let file = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
                close(file)
            }
            for name in ["x.json", "y.json"] { try a.remove(name) }
            for index in 21...30 { try a.put(SampleCard(index).text, as: "\(index).json") }
            var edited = SampleCard(5)
            edited.note = "written unseen"
            try a.put(edited.text, as: "5.json")
            try a.remove("6.json")
            a.daemon?.signal(SIGCONT)
            for machine in machines {
                try machine.expectCount(29, "all is found")
                try waitUntil("the edit too") { try machine.person(edited.uid)?.card["notes"] != nil }
                #expect(try machine.person(SampleCard(6).uid) == nil)
            }
            try world.expectEqual("both show the same")
        }
    }

    @Test("Many files dropped at once all arrive")
    func manyAtOnce() throws {
        try World.with(["A", "B"]) { world, machines in
            let (a, b) = (machines[0], machines[1])
            let patience = max(60, Double(Self.dropped) / 100)
            for index in 0..<Self.dropped {
                var card = SampleCard(index)
                card.phones = ["+44 7700 \(900_000 + index)"]
                try a.put(card.text, as: "\(index).json")
            }
            try eventually("all are read", within: patience) {
                let have = try a.bookStatus()["contacts"]?.integer
                return have == Int64(Self.dropped) ? nil : "\(have ?? 0)"
            }
            try eventually("all arrive", within: patience) {
                let have = b.fileNames.count
                return have == Self.dropped ? nil : "\(have) files"
            }
            #expect(try b.bookStatus()["contacts"]?.integer == Int64(Self.dropped))
            let synced = try a.cli("sync", "--timeout", "60", within: 80)
            #expect(synced.exit == 0, "\(synced)")
        }
    }

    @Test("A file written slowly in place is taken when the save ends, and never half")
    func slowEditor() throws {
        try World.with(["A", "B"]) { world, machines in
            let (a, b) = (machines[0], machines[1])
            var card = SampleCard(1, name: "Ana Holm")
            card.note = "first"
            try a.put(card.text, as: "ana.json")
            try b.expectNames(["Ana Holm"], "it arrives")
            try world.rest()
            card.note = "written slowly"
            let bytes = Array(card.text.utf8)
            let watch = DeletionWatch([("B", b.directory)])
            defer { _ = watch.stop() }
            guard let handle = FileHandle(forWritingAtPath: a.path("ana.json")) else {
                throw Failure("no file")
            }
            try handle.truncate(atOffset: 0)
            for piece in stride(from: 0, to: bytes.count, by: 20) {
                try handle.write(contentsOf: bytes[piece..<min(piece + 20, bytes.count)])
                waitALittle(0.05)
                // A look in the middle of it may name a file that is no JSON yet, and must change nothing.
                if piece == 80 { try a.must("rescan", Machine.book) }
                for machine in machines {
                    let notes = try machine.person(card.uid)?.entries("notes").compactMap {
                        $0["note"]?.string
                    }
                    #expect(notes == ["first"], "on \(machine.name), after \(piece) bytes")
                }
            }
            try handle.close()
            for machine in machines {
                try eventually("the whole edit is taken on \(machine.name)") {
                    try machine.person(card.uid).map { card.value.difference(to: .object($0.card)) }
                        ?? "nobody"
                }
            }
            try world.rest(Window.absence)
            #expect(watch.stop() == [])
            #expect(try a.bookStatus()["setAside"]?.array?.isEmpty == true)
            #expect(a.bytes(of: "ana.json") == bytes)
        }
    }

    @Test("What no event tells of is found by the next look: a directory that was changed by another machine")
    func noEvents() throws {
        try World.with(["A", "B"]) { world, machines in
            let (a, b) = (machines[0], machines[1])
            for index in 1...6 { try a.put(SampleCard(index).text, as: "\(index).json") }
            try b.expectCount(6, "all arrive")
            try world.rest()
            // Stopped, it hears of nothing; what the kernel has queued tells less than what a look finds.
            try a.stop()
            var edited = SampleCard(2)
            edited.note = "from afar"
            try a.overwrite(Array(edited.text.utf8), as: "2.json")
            try a.put(SampleCard(7).text, as: "7.json")
            try a.remove("3.json")
            try FileManager.default.moveItem(atPath: a.path("4.json"), toPath: a.path("four.json"))
            try a.start()
            for machine in machines {
                try machine.expectNames([1, 2, 4, 5, 6, 7].map { SampleCard($0).name }, "all is found")
                try waitUntil("the edit too") { try machine.person(edited.uid)?.card["notes"] != nil }
            }
            #expect(try a.person(SampleCard(4).uid)?.file == "four.json")
        }
    }

    @Test("A file whose name is no UTF-8 is named at once, and no more when it is gone")
    func strangeName() throws {
        try World.with(["A"]) { _, machines in
            let a = machines[0]
            try a.put(SampleCard(1).text, as: "1.json")
            try a.expectCount(1, "it is read")
            let name = Array(a.directory.utf8) + [UInt8(ascii: "/"), 0x62, 0xFF] + Array(".json".utf8) + [0]
            let path = name.map { CChar(bitPattern: $0) }
            let file = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
            close(file)
            try eventually("it is named") {
                let aside = try a.bookStatus()["setAside"]?.array ?? []
                return aside.first?["file"]?.string == #"b\xFF.json"# ? nil : JSONWriter.text(.array(aside))
            }
            #expect(try a.cli("status").exit == 1)
            unsafe unlink(path)
            try waitUntil("it is named no more") { try a.bookStatus()["setAside"]?.array?.isEmpty == true }
        }
    }

    @Test("A directory that cannot be written keeps its old files for as long; restarts bring back nobody")
    func readOnly() throws {
        try World.with { world in
            var options = MachineOptions()
            options.obeysModes = true
            let (a, b) = try (world.add("A"), world.add("B", options))
            try world.connect()
            for machine in world.machines { try machine.start() }
            try world.waitConnected()
            for index in 1...7 { try a.put(SampleCard(index).text, as: "\(index).json") }
            try b.expectCount(7, "all arrive")
            try world.rest()
            func setMode(_ mode: Int) throws {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: b.directory)
            }
            try setMode(0o555)
            defer { try? setMode(0o755) }
            try a.must("remove", Machine.book, "Person 002")
            try waitUntil("it cannot be written") { try b.bookStatus()["writeFailure"] != nil }
            try b.restart()
            b.kill9()
            try b.start()
            try world.waitConnected()
            try b.settle(Window.absence)
            for machine in world.machines { try machine.expectCount(6, "nobody is back") }
            try setMode(0o755)
            try eventually("the file goes at last") { b.fileNames.count == 6 ? nil : "\(b.fileNames)" }
            try world.rest(Window.absence)
            for machine in world.machines { try machine.expectCount(6, "nobody is back") }
        }
    }
}
