import JSON
import Testing

/// Two people at two machines, and what becomes of what they do.
@Suite("Stories of edits")
struct EditStories {
    /// A contact with a note, known to all, with the machines apart from each other.
    private static func apart(
        _ names: [String],
        _ clocks: [String: String] = [:],
        _ body: (World, [Machine], SampleCard) throws -> Void
    ) throws {
        try World.with { world in
            for name in names {
                var options = MachineOptions()
                options.hasOwnClock = clocks[name] != nil
                let machine = try world.add(name, options)
                if let clock = clocks[name] { try machine.setClock(clock) }
            }
            try world.connect()
            for machine in world.machines { try machine.start() }
            try world.waitConnected()
            var card = SampleCard(1, name: "Ana Holm")
            card.note = "first"
            card.email = "ana@example.com"
            try world.machines[0].put(card.text, as: "ana.json")
            for index in 2...4 { try world.machines[0].put(SampleCard(index).text, as: "\(index).json") }
            for machine in world.machines { try machine.expectCount(4, "all arrive") }
            try world.rest()
            for machine in world.machines { world.takeOffline(machine) }
            try body(world, world.machines, card)
        }
    }

    private static func meet(_ world: World) throws {
        for machine in world.machines { try machine.settle(Window.absence) }
        for machine in world.machines { try world.bringOnline(machine) }
        try world.waitConnected()
        try world.rest()
        try world.expectEqual("all show the same")
    }

    private static func edit(_ machine: Machine, _ card: SampleCard) throws {
        guard let file = try machine.person(card.uid)?.file else {
            throw Failure("no file on \(machine.name)")
        }
        try machine.put(card.text, as: file)
        try eventually("\(machine.name) takes its edit") {
            try machine.person(card.uid).flatMap { card.value.difference(to: .object($0.card)) }
        }
    }

    private static func note(_ machine: Machine, _ card: SampleCard) throws -> String? {
        try machine.person(card.uid)?.entries("notes").first?["note"]?.string
    }

    @Test("Of edits in different fields both stay, and there is no conflict")
    func differentFields() throws {
        try Self.apart(["A", "B"]) { world, machines, card in
            var (mine, theirs) = (card, card)
            mine.note = "written on A"
            theirs.email = "written-on-b@example.com"
            try Self.edit(machines[0], mine)
            try Self.edit(machines[1], theirs)
            try Self.meet(world)
            for machine in machines {
                #expect(try Self.note(machine, card) == "written on A")
                let emails = try machine.person(card.uid)?.entries("emails").compactMap {
                    $0["address"]?.string
                }
                #expect(emails == ["written-on-b@example.com"])
                #expect(try machine.bookStatus()["conflicts"]?.integer == 0)
                try machine.expectOneWholeFileEach("one file each")
            }
        }
    }

    @Test("Of edits in one field one is shown on all, and the other is listed with who wrote it")
    func sameField() throws {
        try Self.apart(["A", "B"]) { world, machines, card in
            for machine in machines {
                var edited = card
                edited.note = "written on \(machine.name)"
                try Self.edit(machine, edited)
            }
            try Self.meet(world)
            for machine in machines {
                let conflicts = try machine.must("conflicts", Machine.book, "--json").json?.array ?? []
                guard conflicts.count == 1, let other = conflicts[0]["others"]?.array?.first else {
                    throw Failure("want one conflict: \(JSONWriter.text(.array(conflicts)))")
                }
                let kept = other["value"]?["note"]?.string
                let both = [kept, try Self.note(machine, card)].compactMap { $0 }.sorted()
                #expect(both == ["written on A", "written on B"], "nothing is lost")
                let writer = machines.first { kept == "written on \($0.name)" }
                #expect(try other["device"]?.string == writer?.device())
                let text = try machine.must("conflicts", Machine.book).out
                #expect(text.contains(kept ?? "-"), "people read it too: \(text)")
            }
        }
    }

    @Test("An edit made apart from a deletion wins, with the whole contact", arguments: [true, false])
    func editAgainstDeletion(byFile: Bool) throws {
        try Self.apart(["A", "B"]) { world, machines, card in
            if byFile {
                try machines[0].remove("ana.json")
            } else {
                try machines[0].must("remove", Machine.book, "Ana Holm")
            }
            try machines[0].expectCount(3, "it is deleted here")
            var edited = card
            edited.email = "edited@example.com"
            try Self.edit(machines[1], edited)
            try Self.meet(world)
            for machine in machines {
                try machine.expectCount(4, "it lives")
                let shown = try machine.person(card.uid)?.card
                #expect(edited.value.difference(to: .object(shown ?? JSONObject())) == nil)
                #expect(try machine.must("trash", Machine.book, "--json").json?.array?.isEmpty == true)
                try machine.expectOneWholeFileEach("with a file")
            }
        }
    }

    @Test(
        "Clocks in 1970 and 2038 lose nothing: all end equal, a later edit counts whatever the clock says, nobody's clock is pulled along, a deletion can be taken back",
        .enabled(if: Executables.clockShifter != nil, "needs libfaketime, and no sanitizer")
    )
    func wrongClocks() throws {
        let clocks = ["B": "2038-01-01", "C": "1970-01-02"]
        try Self.apart(["A", "B", "C"], clocks) { world, machines, card in
            for machine in machines {
                var edited = card
                edited.note = "written on \(machine.name)"
                try Self.edit(machine, edited)
            }
            try Self.meet(world)
            for machine in machines {
                let list = try machine.must("conflicts", Machine.book, "--json").json?.array?.first
                let kept = (list?["others"]?.array ?? []).compactMap { $0["value"]?["note"]?.string }
                let all = (kept + [try Self.note(machine, card) ?? ""]).sorted()
                #expect(all == ["written on A", "written on B", "written on C"])
            }
            // Whoever has seen the others' has the last word, also with the oldest clock.
            for machine in machines.reversed() {
                var edited = card
                edited.note = "at last on \(machine.name)"
                try Self.edit(machine, edited)
                for other in machines {
                    try eventually("it counts on \(other.name)") {
                        // Also in its file: whoever edits an older one has not seen this.
                        guard let file = try other.person(card.uid)?.file else { return "no file" }
                        let shown = try parsed(other.bytes(of: file) ?? [])["notes"]?["n1"]?["note"]?.string
                        let note = try Self.note(other, card)
                        return note == edited.note && shown == note ? nil : note ?? "none"
                    }
                    #expect(try other.bookStatus()["conflicts"]?.integer == 0)
                }
            }
            let sources = try machines[0].must("show", Machine.book, card.uid, "--sources", "--json").json
            let written = sources?["sources"]?.array?.first?["fields"]?["notes/n1"]?.array?.first?["time"]
            #expect(written?.string?.hasPrefix("20") == true && written?.string?.hasPrefix("2038") == false)
            for machine in [machines[2], machines[1]] {
                try machine.must("remove", Machine.book, card.uid)
                for other in machines { try other.expectCount(3, "deleted by \(machine.name)") }
                try machines[0].restart()
                try world.waitConnected()
                let trash = try machines[0].must("trash", Machine.book, "--json").json?.array ?? []
                #expect(trash.map { $0["uid"]?.string } == [card.uid])
                try machines[0].must("restore", Machine.book, card.uid)
                for other in machines { try other.expectCount(4, "taken back") }
            }
            try world.expectEqual("all show the same")
        }
    }

    @Test(
        "A ring of four with edits everywhere ends equal, and silent: no byte travels and nothing is written"
    )
    func ringOfFour() throws {
        try World.with(["A", "B", "C", "D"], shape: .ring) { world, machines in
            for (index, machine) in machines.enumerated() {
                for own in 0..<4 {
                    let number = 1 + index * 4 + own
                    try machine.put(SampleCard(number).text, as: "\(number).json")
                }
                try machine.put(#"{"name": "Ana Holm", "phone": "020 7946 0999"}"#, as: "ana.json")
            }
            for machine in machines { try machine.expectCount(17, "everyone is everywhere", within: 40) }
            try world.rest()
            // Everybody edits: contacts of one's own, and one that all have.
            for (index, machine) in machines.enumerated() {
                var (own, common) = (SampleCard(1 + index * 4), SampleCard(2))
                own.note = "own edit of \(machine.name)"
                common.note = "edit of \(machine.name)"
                for card in [own, common] {
                    guard let file = try machine.person(card.uid)?.file else { throw Failure("no file") }
                    try machine.put(card.text, as: file)
                }
                try machine.must("remove", Machine.book, SampleCard(4 + index * 4).uid)
                try machine.must(
                    "add",
                    Machine.book,
                    "--name",
                    "New of \(machine.name)",
                    "--phone",
                    "020 7946 06\(10 + index)"
                )
            }
            for machine in machines { try machine.expectCount(17, "four less, four more", within: 40) }
            try world.expectEqual("all show the same", within: 40)
            try world.rest(Window.absence)
            try world.expectSilence("after all is said", for: Window.longSilence)
            for machine in machines {
                let notes = try machine.people().flatMap { $0.entries("notes") }.compactMap {
                    $0["note"]?.string
                }
                #expect(notes.count { $0.hasPrefix("own edit") } == 4)
                try machine.expectOneWholeFileEach("one file each")
                #expect(try machine.cli("sync", "--timeout", "10").exit == 0)
                let verified = try machine.must("verify", Machine.book, "--json").json
                #expect(verified?["equal"] == .bool(true))
            }
        }
    }
}
