import Foundation
import JSON
import Testing

/// Disks that change or lose what was stored.
@Suite("Stories of damage")
struct DamageStories {
    private static func with(_ body: (World, Machine, Machine) throws -> Void) throws {
        try World.with(["A", "B"]) { world, machines in
            for index in 1...6 {
                var card = SampleCard(index)
                card.note = "the note of \(index)"
                try machines[0].put(card.text, as: "\(index).json")
            }
            try machines[1].expectCount(6, "all arrive")
            try world.rest()
            // Stopped, it leaves all in the one file.
            try machines[0].restart()
            try world.waitConnected()
            try world.rest()
            try body(world, machines[0], machines[1])
        }
    }

    private static func expectWhole(_ world: World, _ a: Machine, _ b: Machine, _ index: Int) throws {
        for machine in [a, b] {
            try eventually("it is whole on \(machine.name)") {
                let person = try machine.person(SampleCard(index).uid)
                let note = person?.entries("notes").first?["note"]?.string
                return note == "the note of \(index)" ? nil : note ?? "nobody"
            }
        }
        try world.expectEqual("both show the same")
        try eventually("verify agrees") {
            let answer = try a.must("verify", Machine.book, "--json")
            return answer.json?["equal"] == .bool(true) ? nil : answer.out
        }
        for machine in [a, b] {
            try machine.expectCount(6, "all are there")
            try machine.expectOneWholeFileEach("and their files")
        }
    }

    @Test(
        "A changed byte in the database of a running daemon is found by `verify`, which names the contact, and healed"
    )
    func foundByVerify() throws {
        // Both, as one of two machines begins the comparisons.
        try Self.with { world, a, b in
            try b.restart()
            try world.waitConnected()
            try world.rest()
            for machine in [a, b] {
                let index = machine === a ? 3 : 4
                try machine.changeByte(of: "the note of \(index)")
                let verified = try machine.cli("verify", Machine.book, "--json").json
                #expect(verified?["equal"] == .bool(false))
                let differ = verified?["differ"]?.array ?? []
                #expect(differ.count == 1, "\(JSONWriter.text(.array(differ)))")
                #expect(differ.first?["uid"]?.string == SampleCard(index).uid)
                #expect(differ.first?["name"]?.string == SampleCard(index).name)
                #expect(differ.first?["peer"]?.string == (machine === a ? "B" : "A"))
                try Self.expectWhole(world, a, b, index)
            }
        }
    }

    @Test(
        "A byte that changed while the daemon was stopped is found at the start and healed without an edit",
        arguments: ["the note of 5", "Person 005"]
    )
    func foundAtStart(text: String) throws {
        try Self.with { world, a, b in
            try a.stop()
            try a.changeByte(of: text)
            try a.start()
            try world.waitConnected()
            try eventually("it is told") {
                let said = try a.bookStatus()["complaints"]?.texts ?? []
                return said.contains { $0.contains(SampleCard(5).uid) } ? nil : "complaints: \(said)"
            }
            try Self.expectWhole(world, a, b, 5)
        }
    }

    @Test(
        "A malformed database is kept aside and treated as lost, whichever page it is and whenever that shows",
        arguments: [0, 5] as [UInt64]
    )
    func malformed(page: UInt64) throws {
        try Self.with { world, a, b in
            let replica = try a.status()["replica"]?.string
            try a.stop()
            let handle = try FileHandle(forUpdating: URL(filePath: a.database))
            try handle.seek(toOffset: page * 4096)
            try handle.write(contentsOf: Data(repeating: 0xA5, count: 4096))
            try handle.close()
            try a.start()
            try world.waitConnected()
            // A page that nothing has looked at yet is found at the latest by a verify.
            try eventually("it is kept aside") {
                _ = try? a.cli("verify", Machine.book)
                a.dropConnection()
                let names = try FileManager.default.contentsOfDirectory(atPath: a.state)
                return names.contains { $0.contains("broken-") } ? nil : "\(names)"
            }
            try waitUntil("it answers again") {
                a.dropConnection()
                return (try? a.status()) != nil
            }
            try world.waitConnected()
            try Self.expectWhole(world, a, b, 2)
            #expect(try a.status()["replica"]?.string != replica)
            for machine in [a, b] {
                #expect(try machine.must("trash", Machine.book, "--json").json?.array?.isEmpty == true)
            }
        }
    }

    @Test(
        "A database restored from last week takes a new replica ID and ends equal; what was done since stays"
    )
    func oldDatabase() throws {
        try Self.with { world, a, b in
            try a.stop()
            let old = a.home + "/old-state"
            try FileManager.default.copyItem(atPath: a.state, toPath: old)
            try a.start()
            try world.waitConnected()
            let replica = try a.status()["replica"]?.string
            var edited = SampleCard(1)
            edited.note = "edited since"
            try a.put(edited.text, as: "1.json")
            try a.put(SampleCard(7).text, as: "7.json")
            try a.must("remove", Machine.book, "Person 002")
            try b.expectNames([1, 3, 4, 5, 6, 7].map { SampleCard($0).name }, "it arrives")
            try world.rest()
            try a.stop()
            try FileManager.default.removeItem(atPath: a.state)
            try FileManager.default.copyItem(atPath: old, toPath: a.state)
            try a.start()
            try world.waitConnected()
            // It writes under its new ID at once: a dot given out before must not come twice.
            try a.put(SampleCard(8).text, as: "8.json")
            for machine in [a, b] {
                try machine.expectNames([1, 3, 4, 5, 6, 7, 8].map { SampleCard($0).name }, "as it was")
                #expect(
                    try machine.person(edited.uid)?.entries("notes").first?["note"]?.string == "edited since"
                )
                #expect(try machine.bookStatus()["complaints"] == nil, "no dot is used twice")
            }
            #expect(try a.status()["replica"]?.string != replica)
            try world.rest(Window.absence)
            try world.expectEqual("both show the same")
            #expect(try a.must("verify", Machine.book, "--json").json?["equal"] == .bool(true))
            for machine in [a, b] { try machine.expectOneWholeFileEach("one file each") }
        }
    }
}
