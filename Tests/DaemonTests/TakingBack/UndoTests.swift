import JSON
import Testing

/// Trash, restore and history.
@Suite("Taking back")
struct UndoTests {
    @Test("What was deleted on one machine lies in the trash of both, and comes back whole on both")
    func restore() throws {
        try World.with(["A", "B"]) { world, machines in
            var card = SampleCard(1, name: "Ana Holm")
            card.note = "a note"
            card.email = "ana@example.com"
            try machines[0].put(card.text, as: "ana.json")
            try machines[0].put(SampleCard(2).text, as: "2.json")
            try machines[1].expectCount(2, "both arrive")
            try world.rest()
            let before = try machines[1].person(card.uid)?.card
            try machines[0].must("remove", Machine.book, "Ana Holm")
            for machine in machines {
                try machine.expectNames(["Person 002"], "it is gone")
                try eventually("it lies in the trash of \(machine.name)") {
                    let trash = try machine.must("trash", Machine.book, "--json").json?.array ?? []
                    return trash.count == 1 && trash[0]["uid"]?.string == card.uid
                        && trash[0]["name"]?.string == "Ana Holm"
                        ? nil : JSONWriter.text(.array(trash))
                }
                let device = try machines[0].device()
                let trash = try machine.must("trash", Machine.book, "--json").json?.array?.first
                #expect(trash?["device"]?.string == device, "who deleted it")
            }
            try machines[1].must("restore", Machine.book, "Ana Holm")
            for machine in machines {
                try machine.expectNames(["Ana Holm", "Person 002"], "it is back")
                #expect(try machine.person(card.uid)?.card == before)
                try machine.expectOneWholeFileEach("with a file")
                #expect(try machine.must("trash", Machine.book, "--json").json?.array?.isEmpty == true)
            }
            #expect(try machines[0].cli("restore", Machine.book, "Ana Holm").exit == 1)
        }
    }

    @Test("The history tells, newest first, which machine did what by which way")
    func history() throws {
        try World.with(["A", "B"]) { world, machines in
            var card = SampleCard(1, name: "Ana Holm")
            try machines[0].put(card.text, as: "ana.json")
            try machines[1].expectCount(1, "it arrives")
            try world.rest()
            card.note = "written on B"
            guard let file = machines[1].fileNames.first else { throw Failure("no file") }
            try machines[1].put(card.text, as: file)
            try waitUntil("the edit arrives") { try machines[0].person(card.uid)?.card["notes"] != nil }
            try machines[0].must("remove", Machine.book, card.uid)
            for machine in machines { try machine.expectCount(0, "it is gone") }
            try machines[1].must("restore", Machine.book, card.uid)
            for machine in machines { try machine.expectCount(1, "it is back") }
            let wanted: [[(what: String, by: Int, origin: String)]] = [
                [
                    ("restored", 1, "peer"), ("deleted", 0, "command"), ("changed", 1, "peer"),
                    ("added", 0, "file"),
                ],
                [
                    ("restored", 1, "command"), ("deleted", 0, "peer"), ("changed", 1, "file"),
                    ("added", 0, "peer"),
                ],
            ]
            for (machine, wanted) in zip(machines, wanted) {
                let rows = try machine.must("history", Machine.book, card.uid, "--json").json?.array ?? []
                let lines = rows.map {
                    [$0["what"], $0["device"], $0["origin"]].map { $0?.string ?? "-" }.joined(separator: " ")
                }
                let want = try wanted.map {
                    "\($0.what) \(try machines[$0.by].device()) \($0.origin)"
                }
                #expect(lines == want, "on \(machine.name)")
                for row in rows {
                    let device = row["device"]?.string ?? "-"
                    #expect(row["session"]?.string?.hasPrefix(device.prefix(16) + "-") == true)
                }
                let fields = rows.first { $0["what"]?.string == "changed" }?["fields"]?.texts
                #expect(fields == ["notes/n1"])
            }
        }
    }
}
