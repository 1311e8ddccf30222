import JSON
import Testing

/// What scripts rely on: the members of what `--json` prints, no more and no fewer, and what they say.
@Suite("Shapes that scripts rely on")
struct ShapeStories {
    private static func expectMembers(_ value: JSONValue?, _ names: [String], _ what: String) {
        #expect(value?.object?.keys.sorted() == names.sorted(), "\(what)")
    }

    private static func json(_ machine: Machine, _ line: String...) throws -> [JSONValue] {
        guard
            let list = try machine.must(line[0], Machine.book, line.count > 1 ? line[1] : "--json", "--json")
                .json?.array
        else { throw Failure("`\(line)` is no array") }
        return list
    }

    @Test(
        "`unmerge` gives back both contacts with their later edits, on every machine, apart for good; the history tells who did what"
    )
    func unmerge() throws {
        try World.with(["A", "B", "C"]) { world, machines in
            var cards = [
                SampleCard(1, name: "Ulla Voss"),
                SampleCard(2, name: "Ulla Voss", phone: SampleCard(1).phones[0]),
            ]
            cards[0].note = "of the first"
            cards[1].email = "second@example.com"
            for (index, card) in cards.enumerated() {
                try machines[index].put(card.text, as: "\(index).json")
            }
            for machine in machines { try machine.expectCount(1, "one number, one contact") }
            try world.expectEqual("all show the same")
            try world.rest()
            // While they are one, each is edited: a value of the first's, and a value of the second's.
            guard let whole = try machines[2].people().first, let file = whole.file else {
                throw Failure("no file")
            }
            var card = whole.card
            card["notes"] = ["n1": ["note": "of the first, edited"]]
            card["emails"] = ["e1": ["address": "edited@example.com"]]
            try machines[2].put(JSONWriter.text(.object(card)), as: file)
            for machine in machines {
                try eventually("the edit arrives") {
                    let notes = try machine.people().first?.entries("notes").first?["note"]?.string
                    return notes == "of the first, edited" ? nil : notes ?? "none"
                }
            }
            try world.rest()
            try machines[1].must("unmerge", Machine.book, cards[1].uid)
            for machine in machines {
                try machine.expectCount(2, "they are two")
                let (one, two) = try (machine.person(cards[0].uid), machine.person(cards[1].uid))
                #expect(one?.entries("notes").first?["note"]?.string == "of the first, edited")
                #expect(one?.entries("emails").isEmpty == true)
                #expect(two?.entries("emails").first?["address"]?.string == "edited@example.com")
                #expect(two?.entries("notes").isEmpty == true)
                #expect(one?.phones.count == 1 && two?.phones.count == 1)
            }
            try machines[0].restart()
            try world.waitConnected()
            // An edit of one does not bring them together again.
            var edited = cards[0]
            edited.note = "alone"
            guard let home = try machines[0].person(edited.uid)?.file else { throw Failure("no file") }
            try machines[0].put(edited.text, as: home)
            for machine in machines {
                try waitUntil("it arrives") {
                    try machine.person(edited.uid)?.entries("notes").first?["note"]?.string == "alone"
                }
            }
            try world.rest()
            for machine in machines {
                try machine.expectCount(2, "they stay two")
                try machine.expectOneWholeFileEach("each with a file")
                let rows = try Self.json(machine, "history", cards[1].uid)
                for row in rows {
                    Self.expectMembers(
                        row,
                        ["time", "device", "session", "origin", "what", "fields"],
                        "history"
                    )
                }
                let split = rows.first { $0["what"]?.string == "split" }
                #expect(try split?["device"]?.string == machines[1].device(), "on \(machine.name)")
                #expect(split?["origin"]?.string == (machine === machines[1] ? "command" : "peer"))
                let changed = rows.first { $0["what"]?.string == "changed" }
                #expect(try changed?["device"]?.string == machines[2].device())
                #expect(rows.last?["what"]?.string == "added")
                #expect(
                    rows.map { $0["time"]?.string ?? "" }
                        == rows.map { $0["time"]?.string ?? "" }.sorted(by: >)
                )
            }
        }
    }

    @Test("Lists, statuses and verifications have the documented members")
    func members() throws {
        try World.with(["A", "B"]) { world, machines in
            let (a, b) = (machines[0], machines[1])
            var card = SampleCard(1, name: "Ana Holm")
            card.note = "first"
            try a.put(card.text, as: "ana.json")
            let number = "020 7946 0500"
            let names = ["Rosa Lenz", "Timo Kurz", "Vera Blum"]
            for (index, name) in names.enumerated() {
                try a.put(SampleCard(10 + index, name: name, phone: number).text, as: "\(name).json")
            }
            for index in 20...30 { try a.put(SampleCard(index).text, as: "\(index).json") }
            try b.expectCount(15, "all arrive")
            try world.rest()
            world.takeOffline(b)
            for machine in machines {
                card.note = "written on \(machine.name)"
                guard let file = try machine.person(card.uid)?.file else { throw Failure("no file") }
                try machine.put(card.text, as: file)
                try waitUntil("it is taken") {
                    try machine.person(card.uid)?.entries("notes").first?["note"]?.string == card.note
                }
            }
            try world.bringOnline(b)
            try world.waitConnected()
            try waitUntil("they clash") { try a.bookStatus()["conflicts"]?.integer == 1 }
            try a.must("remove", Machine.book, SampleCard(20).uid)
            try b.expectCount(14, "it is gone")

            for machine in machines {
                let conflict = try Self.json(machine, "conflicts").first
                Self.expectMembers(conflict, ["uid", "name", "field", "shown", "others"], "conflicts")
                let other = conflict?["others"]?.array?.first
                Self.expectMembers(other, ["id", "value", "device", "session", "time"], "others")
                let deleted = try Self.json(machine, "trash").first
                Self.expectMembers(deleted, ["uid", "name", "deleted", "device", "session"], "trash")
                for part in [other, deleted] {
                    let device = part?["device"]?.string ?? ""
                    #expect(part?["session"]?.string?.hasPrefix(device.prefix(16) + "-") == true)
                    #expect(try machines.contains { try $0.device() == device }, "a device ID: \(device)")
                }
                let time = deleted?["deleted"]?.string ?? ""
                #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil, "\(time)")
                let duplicates = try Self.json(machine, "duplicates")
                #expect(!duplicates.isEmpty)
                for duplicate in duplicates {
                    Self.expectMembers(duplicate, ["key", "persons", "reason"], "duplicates")
                    #expect(duplicate["key"]?.string == "+442079460500")
                    #expect(duplicate["reason"]?.string == "switchboard")
                    for person in duplicate["persons"]?.array ?? [] {
                        Self.expectMembers(person, ["uid", "name"], "persons")
                    }
                }
                let verified = try machine.must("verify", Machine.book, "--json").json
                Self.expectMembers(verified, ["equal", "differ"], "verify")
            }
            for index in 22...30 { try a.remove("\(index).json") }
            try eventually("they are held") {
                let held = try a.bookStatus()["held"]
                return held?["deletions"]?.array?.count == 9
                    ? nil : "held: \(held.map { JSONWriter.text($0) } ?? "no")"
            }
            let held = try a.bookStatus()["held"]
            Self.expectMembers(held, ["reason", "since", "deletions", "from"], "held")
            for deletion in held?["deletions"]?.array ?? [] {
                Self.expectMembers(deletion, ["uid", "name"], "deletions")
            }
            #expect(held?["from"] == .null)
            try a.must("resume", Machine.book, "--restore")
        }
    }
}
