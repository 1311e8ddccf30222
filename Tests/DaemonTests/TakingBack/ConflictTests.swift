import JSON
import Testing

/// Two values for one field: both are kept until a person settles it.
@Suite("Conflicts")
struct ConflictTests {
    /// A contact whose note was written on both machines while they could not reach each other.
    private static func with(_ body: (World, [Machine], SampleCard) throws -> Void) throws {
        try World.with(["A", "B"]) { world, machines in
            var card = SampleCard(1, name: "Ana Holm")
            card.note = "first"
            try machines[0].put(card.text, as: "ana.json")
            try machines[1].expectCount(1, "it arrives")
            try world.rest()
            world.takeOffline(machines[1])
            for machine in machines {
                guard let file = machine.fileNames.first else { throw Failure("no file on \(machine.name)") }
                card.note = "from \(machine.name)"
                try machine.put(card.text, as: file)
                try eventually("\(machine.name) takes its edit") {
                    let notes = try machine.person(card.uid)?.entries("notes").compactMap {
                        $0["note"]?.string
                    }
                    return notes == ["from \(machine.name)"] ? nil : "notes: \(notes ?? [])"
                }
            }
            try world.bringOnline(machines[1])
            try world.waitConnected()
            for machine in machines {
                try eventually("\(machine.name) lists the conflict") {
                    let all = try conflicts(machine)
                    return all.count == 1 && all[0]["others"]?.array?.count == 1
                        ? nil : "conflicts: \(JSONWriter.text(.array(all)))"
                }
            }
            try world.expectEqual("both show the same of the two")
            try body(world, machines, card)
        }
    }

    private static func conflicts(_ machine: Machine) throws -> [JSONValue] {
        guard let all = try machine.must("conflicts", Machine.book, "--json").json?.array else {
            throw Failure("\(machine.name): `conflicts --json` is no array")
        }
        return all
    }

    private static func expectSettled(_ machines: [Machine], _ card: SampleCard, note: String) throws {
        for machine in machines {
            try eventually("it is settled on \(machine.name)") {
                let notes = try machine.person(card.uid)?.entries("notes").compactMap { $0["note"]?.string }
                guard notes == [note] else { return "notes: \(notes ?? [])" }
                let left = try conflicts(machine)
                return left.isEmpty ? nil : "left: \(JSONWriter.text(.array(left)))"
            }
            try machine.settle()
            #expect(try machine.bookStatus()["conflicts"]?.integer == 0)
        }
    }

    @Test("What is in conflict is counted after a new start too, and told once")
    func counted() throws {
        try Self.with { _, machines, _ in
            let a = machines[0]
            try a.settle()
            #expect(try a.bookStatus()["conflicts"]?.integer == 1)
            func told() throws -> Int {
                try a.must("events", "--once").out.split(separator: "\n").count {
                    $0.contains("\"conflict\"")
                }
            }
            #expect(try told() == 1)
            try a.restart()
            try a.settle()
            #expect(try a.bookStatus()["conflicts"]?.integer == 1)
            try a.put(SampleCard(2).text, as: "two.json")
            try a.expectCount(2, "another one is added")
            #expect(try told() == 1)
        }
    }

    @Test("The one that is not shown can be chosen by its ID, on either machine")
    func chosen() throws {
        try Self.with { _, machines, card in
            let conflict = try Self.conflicts(machines[1])[0]
            #expect(conflict["uid"]?.string == card.uid)
            #expect(conflict["name"]?.string == "Ana Holm")
            let field = conflict["field"]?.string ?? ""
            #expect(field == "notes/n1")
            let other = conflict["others"]?.array?.first
            let kept = other?["value"]?["note"]?.string ?? ""
            let writer = machines.first { kept == "from \($0.name)" }
            #expect(try other?["device"]?.string == writer?.device())
            #expect(conflict["shown"]?["note"]?.string != kept)
            try machines[1].must("resolve", Machine.book, card.uid, field, other?["id"]?.string ?? "")
            try Self.expectSettled(machines, card, note: kept)
        }
    }

    @Test("A value of one's own settles it too")
    func written() throws {
        try Self.with { _, machines, card in
            try machines[0].must("resolve", Machine.book, card.uid, "notes/n1", "something else")
            try Self.expectSettled(machines, card, note: "something else")
            #expect(try machines[0].cli("resolve", Machine.book, card.uid, "notes/n7", "x").exit == 1)
        }
    }

    @Test("An edit of the file settles it")
    func edited() throws {
        try Self.with { _, machines, card in
            var card = card
            card.note = "from the editor"
            guard let file = machines[1].fileNames.first else { throw Failure("no file") }
            try machines[1].put(card.text, as: file)
            try Self.expectSettled(machines, card, note: "from the editor")
        }
    }
}
