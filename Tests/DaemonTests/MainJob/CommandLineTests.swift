import JSON
import Testing

/// The command line, as people use it.
@Suite("Commands")
struct CommandLineTests {
    @Test("What `add` adds is a contact here and there, with a file of its own")
    func add() throws {
        try World.with(["A", "B"]) { _, machines in
            try machines[0].must(
                "add",
                Machine.book,
                "--name",
                "Ana Holm",
                "--phone",
                "020 7946 0123",
                "--email",
                "ana@example.com"
            )
            for machine in machines {
                try machine.expectNames(["Ana Holm"], "it is there")
                try machine.expectOneWholeFileEach("it has a file")
                let ana = try machine.people().first
                #expect(ana?.phones.map(\.value) == ["+442079460123"])
                #expect(ana?.phones.map(\.number) == ["020 7946 0123"], "the text is never rewritten")
                #expect(ana?.entries("emails").compactMap { $0["address"]?.string } == ["ana@example.com"])
            }
            // The same person once more, from the other side.
            try machines[1].must("add", Machine.book, "--name", "Ana Holm", "--phone", "+44 (0)20 7946 0123")
            for machine in machines { try machine.expectNames(["Ana Holm"], "it is one contact still") }
        }
    }

    @Test("`remove` takes a uid, a name or a number, and removes the contact and its file everywhere")
    func remove() throws {
        try World.with(["A", "B"]) { _, machines in
            for index in 1...4 { try machines[0].put(SampleCard(index).text, as: "\(index).json") }
            try machines[1].expectCount(4, "all arrive")
            try machines[1].must("remove", Machine.book, SampleCard(1).uid)
            try machines[0].must("remove", Machine.book, "Person 002")
            try machines[0].must("remove", Machine.book, "(020) 7946 0003")
            for machine in machines {
                try machine.expectNames(["Person 004"], "one is left")
                try machine.expectOneWholeFileEach("one file is left")
            }
            #expect(try machines[0].cli("remove", Machine.book, "Person 002").exit == 1)
        }
    }

    @Test("`lookup`, `search` and `show` find a contact by what people remember; else they exit 1")
    func find() throws {
        try World.with(["A"]) { _, machines in
            let a = machines[0]
            try a.put(SampleCard(1, name: "Ana Holm", phone: "+44 20 7946 0123").text, as: "ana.json")
            try a.put(SampleCard(2, name: "Bo Dahl").text, as: "bo.json")
            try a.expectCount(2, "both are read")
            let found = [
                ["lookup", "020 7946 0123"], ["lookup", "+44 (0) 20-7946-0123"], ["search", "holm"],
                ["search", "Ana"],
                ["show", Machine.book, "Ana Holm"], ["show", Machine.book, SampleCard(1).uid],
                ["show", Machine.book, "020 7946 0123"],
            ]
            for command in found {
                for form in [[], ["--json"]] {
                    let answer = try a.cli(command + form)
                    #expect(answer.exit == 0, "\(answer)")
                    #expect(
                        answer.out.contains("Ana Holm") && !answer.out.contains("Bo Dahl"),
                        "\(command): \(answer.out)"
                    )
                }
            }
            for command in [
                ["lookup", "020 7946 0999"], ["search", "nobody"], ["show", Machine.book, "Nobody"],
            ] {
                #expect(try a.cli(command).exit == 1, "\(command)")
            }
        }
    }

    @Test("`show --sources` gives every record of a merged contact and who wrote it")
    func sources() throws {
        try World.with(["A", "B"]) { world, machines in
            try machines[0].put(
                SampleCard(1, name: "Ana Holm", phone: "+44 20 7946 0123").text,
                as: "one.json"
            )
            try machines[1].expectCount(1, "it arrives")
            try machines[1].put(SampleCard(2, name: "Ana Holm", phone: "020 7946 0123").text, as: "two.json")
            try world.rest()
            for machine in machines {
                try machine.expectCount(1, "they are one")
                let shown = try machine.must("show", Machine.book, "Ana Holm", "--sources", "--json")
                for part in [SampleCard(1).uid, SampleCard(2).uid] {
                    #expect(shown.out.contains(part), "\(part) in \(shown.out)")
                }
                // A session's name begins with the machine's device ID.
                for origin in machines {
                    let device = try origin.device().prefix(16)
                    #expect(shown.out.contains(device), "\(origin.name) in \(shown.out)")
                }
            }
        }
    }

    @Test("A name that fits several is refused with their uids")
    func ambiguous() throws {
        try World.with(["A"]) { _, machines in
            for index in [1, 2] {
                try machines[0].put(SampleCard(index, name: "Peter Brown").text, as: "\(index).json")
            }
            try machines[0].expectCount(2, "equal names alone are two")
            let answer = try machines[0].cli("remove", Machine.book, "Peter Brown")
            #expect(answer.exit == 4)
            for index in [1, 2] { #expect((answer.err + answer.out).contains(SampleCard(index).uid)) }
            try machines[0].expectCount(2, "nobody is removed")
        }
    }

    @Test("`sync` waits for equality: 0 when equal, 1 when a peer is out of reach or none is configured")
    func sync() throws {
        try World.with(["A", "B"]) { world, machines in
            try machines[0].put(SampleCard(1).text, as: "1.json")
            try machines[0].settle()
            #expect(try machines[0].cli("sync", "--timeout", "15").exit == 0)
            #expect(try machines[1].names() == ["Person 001"], "equal means that it is there")
            world.takeOffline(machines[1])
            let answer = try machines[0].cli("sync", "--timeout", "1")
            #expect(answer.exit == 1)
            #expect((answer.err + answer.out).contains("B"), "it names who is missing: \(answer)")
        }
        try World.with(["A"]) { _, machines in
            let alone = try machines[0].cli("sync", "--timeout", "1")
            #expect(alone.exit == 1)
        }
    }

    @Test("`status` is 0 only while nothing needs a person")
    func status() throws {
        try World.with(["A"]) { _, machines in
            let a = machines[0]
            try a.put(SampleCard(1).text, as: "1.json")
            try a.expectCount(1, "it is read")
            try a.settle()
            #expect(try a.cli("status").exit == 0)
            try a.put("{\"name\": ", as: "bad.json")
            try eventually("the bad file is named") {
                let entry = try a.bookStatus()["setAside"]?.array?.first
                return entry?["file"]?.string == "bad.json" && entry?["line"]?.integer == 1
                    ? nil : "set aside: \(entry.map { JSONWriter.text($0) } ?? "nothing")"
            }
            let answer = try a.cli("status")
            #expect(answer.exit == 1)
            #expect(answer.out.contains("bad.json"))
            try a.put(SampleCard(2).text, as: "bad.json")
            try a.expectCount(2, "the repaired file is read")
            #expect(try a.cli("status").exit == 0)
        }
    }

    @Test("Usage errors exit 2; without a daemon commands exit 3 with a sentence, and `id` works")
    func exitCodes() throws {
        try World.with { world in
            let a = try world.add("A")
            #expect(try a.device() == a.cli("id").out.split(separator: "\n").last.map(String.init))
            for command in [
                ["no-such-command"], [], ["list"], ["add", Machine.book],
                ["list", Machine.book, "--no-such"],
            ] {
                #expect(try a.cli(command).exit == 2, "\(command)")
            }
            let answer = try a.cli("list", Machine.book)
            #expect(answer.exit == 3)
            #expect(answer.err.contains("contactsyncd"), "it says what to do: \(answer.err)")
            try a.start()
            #expect(try a.cli("list", Machine.book).exit == 0)
            #expect(try a.cli("list", "no-such-book").exit != 0)
        }
    }

    @Test("`merge` refuses to make a contact of more records than one may be")
    func mergeOfTooMany() throws {
        try World.with { world in
            let a = try world.add("A")
            try a.start()
            let people = [("Ulla Voss", "+442079460371"), ("Ida Berg", "+4930901820")]
            for (at, person) in people.enumerated() {
                let cards = (1...60).map {
                    SampleCard(at * 100 + $0, name: person.0, phone: person.1).text
                }
                try a.put("[" + cards.joined(separator: ",") + "]", as: "\(at).json")
            }
            try a.expectCount(2, "60 records each")
            let answer = try a.cli("merge", Machine.book, "Ulla Voss", "Ida Berg")
            #expect(answer.exit == 4 && answer.err.contains("more than 100 records"), "\(answer)")
            try a.expectCount(2, "they stay two")
        }
    }

    @Test("`unmerge` takes a merged contact apart everywhere, and it stays so")
    func unmerge() throws {
        try World.with(["A", "B"]) { world, machines in
            let cards = [
                SampleCard(1, name: "Ulla Voss", phone: "020 7946 0371"),
                SampleCard(2, name: "Ulla Voss", phone: "+442079460371"),
            ]
            for (index, card) in cards.enumerated() {
                try machines[index].put(card.text, as: "\(index).json")
            }
            // Before they have met each has one contact too.
            for machine in machines {
                try waitUntil("they are one") { try machine.bookStatus().object?["merged"] == 1 }
            }
            try machines[1].must("unmerge", Machine.book, cards[0].uid)
            for machine in machines {
                try machine.expectCount(2, "they are two")
                try machine.expectOneWholeFileEach("each has a file")
            }
            try machines[0].restart()
            try world.rest()
            for machine in machines { try machine.expectCount(2, "they stay two") }
            try world.expectEqual("both show the same")
        }
    }
}
