import JSON
import Testing

/// What people say about who is the same.
@Suite("Merging by hand")
struct MergeTests {
    @Test(
        "`merge` joins two on both machines, `--preview` only shows it, and `unmerge` gives back what they were"
    )
    func merge() throws {
        try World.with(["A", "B"]) { world, machines in
            var cards = [SampleCard(1, name: "Ana Holm"), SampleCard(2, name: "A. Holm-Lund")]
            cards[0].note = "the first"
            for (index, card) in cards.enumerated() {
                try machines[index].put(card.text, as: "\(index).json")
            }
            for machine in machines { try machine.expectCount(2, "both are there") }
            try world.rest()
            let before = try cards.map { try machines[0].person($0.uid)?.card }
            let preview = try machines[0].must(
                "merge",
                Machine.book,
                cards[0].uid,
                cards[1].uid,
                "--preview",
                "--json"
            ).json
            #expect(preview?["phones"]?.array?.count == 2)
            try world.expectSilence("a preview changes nothing")
            for machine in machines { try machine.expectCount(2, "still two") }

            try machines[0].must("merge", Machine.book, cards[0].uid, cards[1].uid)
            for machine in machines {
                try machine.expectCount(1, "they are one")
                try machine.expectOneWholeFileEach("in one file")
                #expect(try machine.person(cards[1].uid)?.phones.count == 2)
            }
            try world.expectEqual("both show the same")
            #expect(try machines[1].people()[0].card == preview?["card"]?.object, "as the preview said")

            try machines[1].must("unmerge", Machine.book, cards[1].uid)
            for machine in machines {
                try machine.expectCount(2, "they are two")
                try machine.expectOneWholeFileEach("each in its file")
                for (card, before) in zip(cards, before) {
                    #expect(try machine.person(card.uid)?.card == before, "as before, on \(machine.name)")
                }
            }
            try machines[1].restart()
            try world.waitConnected()
            try world.rest()
            for machine in machines { try machine.expectCount(2, "they stay two") }
        }
    }

    @Test("`distinct` takes apart what a number joined, and it stays so on both machines")
    func distinct() throws {
        try World.with(["A", "B"]) { world, machines in
            let number = "+44 20 7946 0371"
            let cards = [
                SampleCard(1, name: "Ulla Voss", phone: number),
                SampleCard(2, name: "Uwe Voss", phone: number),
            ]
            for (index, card) in cards.enumerated() {
                try machines[index].put(card.text, as: "\(index).json")
            }
            for machine in machines { try machine.expectCount(1, "one number, one contact") }
            try world.rest()
            try machines[0].must("unmerge", Machine.book, cards[1].uid)
            for machine in machines {
                try machine.expectNames(["Ulla Voss", "Uwe Voss"], "they are two")
                let listed = try machine.must("duplicates", Machine.book, "--json").json?.array ?? []
                #expect(listed.count == 1)
                #expect(listed.first?["reason"]?.string == "told apart")
                #expect(listed.first?["key"]?.string == "+442079460371")
                #expect(listed.first?["persons"]?.array?.count == 2)
            }
            try machines[1].must("merge", Machine.book, "Ulla Voss", "Uwe Voss")
            for machine in machines { try machine.expectCount(1, "a later word counts") }
            #expect(try machines[0].cli("distinct", Machine.book, cards[0].uid, cards[1].uid).exit == 4)
        }
    }

    @Test("A number that is said to be shared joins nobody, and --not takes that back")
    func shared() throws {
        try World.with(["A", "B"]) { world, machines in
            let number = "+44 20 7946 0372"
            let cards = [
                SampleCard(1, name: "Ulla Voss", phone: number),
                SampleCard(2, name: "Karl Maas", phone: number),
            ]
            for (index, card) in cards.enumerated() {
                try machines[index].put(card.text, as: "\(index).json")
            }
            for machine in machines { try machine.expectCount(1, "one number, one contact") }
            try world.rest()
            try machines[1].must("shared", Machine.book, "020 7946 0372")
            for machine in machines {
                try machine.expectNames(["Karl Maas", "Ulla Voss"], "they are two")
                try machine.expectOneWholeFileEach("each in its file")
                let listed = try machine.must("duplicates", Machine.book, "--json").json?.array ?? []
                #expect(listed.first?["reason"]?.string == "marked")
            }
            try machines[0].must("shared", Machine.book, "020 7946 0372", "--not")
            for machine in machines { try machine.expectCount(1, "they are one again") }
            try world.expectEqual("both show the same")
            let verified = try machines[0].must("verify", Machine.book, "--json").json
            #expect(verified?["equal"] == .bool(true) && verified?["differ"]?.array?.isEmpty == true)
        }
    }
}
