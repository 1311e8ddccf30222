import AddressBook
import Contacts
import JSON
import Replication
import TestSupport
import Testing

/// The card of a person as a function of its records (DESIGN.md 3).
@Suite("The card of a person")
struct PersonCardTests {
    private func card(_ records: Record...) -> PersonCard { CardBuilder.card(records) }

    private func member(_ card: PersonCard, _ name: String) throws -> JSONObject {
        try #require(card.card[name]?.object)
    }

    @Test("equal numbers are one, with what each knew of features, contexts, label and preference")
    func unitesNumbers() throws {
        let one = CardBuilder.record("a", [("phones/p1", ["number": "+1 2", "features": ["voice": true]])])
        let two = CardBuilder.record(
            "b",
            replica: 2,
            from: 10,
            [
                (
                    "phones/x",
                    [
                        "number": "+12", "features": ["text": true], "contexts": ["work": true],
                        "label": "desk", "pref": 1,
                    ]
                )
            ]
        )
        let card = card(one, two)
        let expected: JSONValue = [
            "p1": [
                "number": "+1 2", "features": ["voice": true, "text": true], "contexts": ["work": true],
                "label": "desk", "pref": 1,
            ]
        ]
        #expect(card.card["phones"] == expected)
        #expect(card.conflicts.isEmpty)
        #expect(card.items[CardBuilder.key("phones/p1")]?.sources.count == 2)
    }

    @Test("two labels of one number are a conflict, and none is lost")
    func twoLabels() {
        let one = CardBuilder.record("a", [("phones/p1", ["number": "+12", "label": "home"])])
        let two = CardBuilder.record(
            "b",
            replica: 2,
            from: 10,
            [("phones/p1", ["number": "+12", "label": "cabin"])]
        )
        let card = card(one, two)
        #expect(card.conflicts.map(\.field) == [CardBuilder.key("phones/p1")])
        #expect(CardBuilder.text(card.card).contains("home"))
    }

    @Test("one text with keys of two machines, or of one only, is one number with all keys")
    func oneText() throws {
        var one = CardBuilder.record("a", [("phones/p1", ["number": "030 12"])])
        var two = CardBuilder.record("b", replica: 2, from: 10, [("phones/p1", ["number": "030 12"])])
        #expect(try member(card(one, two), "phones").count == 1)
        one.fields[CardBuilder.key("phones/p1")]?[Dot(replica: ReplicaID(1), counter: 2)]?.key = "+493012"
        #expect(card(one, two).items[CardBuilder.key("phones/p1")]?.phoneKeys == ["+493012"])
        two.fields[CardBuilder.key("phones/p1")]?[Dot(replica: ReplicaID(2), counter: 11)]?.key = "+443012"
        #expect(card(one, two).items[CardBuilder.key("phones/p1")]?.phoneKeys == ["+493012", "+443012"])
    }

    @Test("phones without a number are not one for that")
    func noNumber() throws {
        let record = CardBuilder.record("a", [("phones/p1", ["label": "x"]), ("phones/p2", ["vendor": "y"])])
        #expect(try member(card(record), "phones").count == 2)
    }

    @Test(
        "of different entries under one Id the smaller creation keeps it, the other gets one made from its own"
    )
    func oneId() throws {
        let one = CardBuilder.record("a", from: 5, [("phones/p1", ["number": "+1"])])
        let two = CardBuilder.record("b", replica: 2, from: 1, [("phones/p1", ["number": "+2"])])
        let phones = try member(card(one, two), "phones")
        #expect(phones["p1"]?.object?["number"] == "+2")
        #expect(phones.count == 2)
        let made = try #require(phones.keys.first { $0 != "p1" })
        #expect(made == "p1-1-6")
        #expect(phones[made]?.object?["number"] == "+1")
        #expect(card(one, two).conflicts.isEmpty)
    }

    @Test("a made Id that somebody wrote himself hides nothing")
    func madeIdTaken() throws {
        let one = CardBuilder.record("a", from: 5, [("phones/p1", ["number": "+1"])])
        let two = CardBuilder.record(
            "b",
            replica: 2,
            from: 1,
            [("phones/p1", ["number": "+2"]), ("phones/p1-1-6", ["number": "+3"])]
        )
        let numbers = try member(card(one, two), "phones").map { $0.value.object?["number"]?.string }
        #expect(Set(numbers) == ["+1", "+2", "+3"])
    }

    @Test("paths in localizations follow an Id that was given anew, and only that")
    func localizations() throws {
        let one = CardBuilder.record(
            "a",
            from: 5,
            [
                ("phones/p1", ["number": "+1"]),
                ("localizations/de", ["phones/p1/label": "Haus", "titles/t1/name": "Chef"]),
            ]
        )
        let two = CardBuilder.record("b", replica: 2, from: 1, [("phones/p1", ["number": "+2"])])
        let patch = try member(card(one, two), "localizations")["de"]
        #expect(patch == ["phones/p1-1-6/label": "Haus", "titles/t1/name": "Chef"])
    }

    @Test("a path to an Id that two entries of one record share leads to the first of them")
    func localizationOfTwo() throws {
        var record = CardBuilder.record(
            "a",
            [("phones/p1", ["number": "+1"]), ("localizations/de", ["phones/p1/label": "Haus"])]
        )
        let other = CardBuilder.record("a", replica: 2, from: 20, [("phones/p1", ["number": "+2"])])
        _ = record.join(other, hash: .test)
        let card = card(record)
        #expect(try member(card, "phones").count == 2)
        #expect(try member(card, "localizations")["de"] == ["phones/p1/label": "Haus"])
    }

    @Test("a full name that lost and differs after folding is shown as a nickname, once")
    func lostNames() throws {
        let records = [
            CardBuilder.record("a", from: 1, [("name", ["full": "Wanda"])]),
            CardBuilder.record("b", replica: 2, from: 10, [("name", ["full": "xavier  young"])]),
            CardBuilder.record("c", replica: 3, from: 20, [("name", ["full": "Xavier Young"])]),
            CardBuilder.record("d", replica: 4, from: 3, [("name", ["full": "WANDA"])]),
        ]
        let card = CardBuilder.card(records)
        #expect(card.name == "Xavier Young")
        let nicknames = try member(card, "nicknames")
        #expect(nicknames.map { $0.value.object?["name"] } == ["WANDA"])
        #expect(card.conflicts.isEmpty)
    }

    @Test("two names written at once into one record are a conflict, also if only their writing differs")
    func concurrentNames() {
        for (first, second) in [("Ana", "ANA"), ("Ana", "Bob")] {
            var record = CardBuilder.record("a", from: 1, [("name", ["full": .string(first)])])
            let other = CardBuilder.record("a", replica: 2, from: 10, [("name", ["full": .string(second)])])
            _ = record.join(other, hash: .test)
            let conflicts = card(record).conflicts
            #expect(conflicts.map(\.field) == [.name])
            #expect(conflicts.first?.others.first?.version.value == ["full": .string(first)])
        }
    }

    @Test("a name that says nothing hides none, and what it says besides is kept")
    func emptyName() {
        let one = CardBuilder.record("a", [("name", ["full": "Ana"])])
        let two = CardBuilder.record("b", replica: 2, from: 10, [("name", ["full": " ", "x:own": 1])])
        let card = CardBuilder.card([one, two])
        #expect(card.name == "Ana")
        #expect(card.items[.name]?.value == ["full": "Ana", "x:own": 1])
        #expect(card.card["nicknames"] == nil && card.conflicts.isEmpty)
        let three = CardBuilder.record("c", replica: 3, from: 20, [("name", ["full": "", "x:own": 2])])
        let kept = CardBuilder.card([one, two, three]).conflicts.flatMap(\.others)
        #expect(kept.map(\.source.uid) == [UID("b")])
    }

    @Test("what two records say differently of one name is kept")
    func nameParts() {
        let one = CardBuilder.record("a", [("name", ["full": "Ana", "phonetic": "x", "only": 1])])
        let two = CardBuilder.record("b", replica: 2, from: 10, [("name", ["full": "ANA", "phonetic": "y"])])
        let card = card(one, two)
        #expect(card.items[.name]?.value == ["full": "ANA", "phonetic": "y", "only": 1])
        #expect(card.conflicts.first?.others.first?.version.value?.object?["phonetic"] == "x")
    }

    @Test("the later of concurrent values is shown and the other kept; equal ones are one")
    func singleValues() {
        let one = CardBuilder.record("a", from: 1, [("vendor", "old"), ("language", "de")])
        let two = CardBuilder.record("b", replica: 2, from: 10, [("vendor", "new"), ("language", "de")])
        let card = card(one, two)
        #expect(card.card["vendor"] == "new")
        #expect(card.conflicts.map(\.field) == [CardBuilder.key("vendor")])
        #expect(card.conflicts[0].others.map(\.version.value) == ["old"])
    }

    @Test(
        "what vCards said that JSContact has no place for stands side by side, each once; who wrote them is no conflict"
    )
    func vCards() {
        func property(_ text: String) -> JSONValue { ["x-note", [:], "unknown", .string(text)] }
        let one = CardBuilder.record(
            "a",
            from: 1,
            [("vCardProps", [property("both"), property("one")]), ("prodId", "-//A//")]
        )
        let two = CardBuilder.record(
            "b",
            replica: 2,
            from: 10,
            [("vCardProps", [property("two"), property("both")]), ("prodId", "-//B//")]
        )
        let card = card(one, two)
        #expect(card.card["vCardProps"] == [property("two"), property("both"), property("one")])
        #expect(card.card["prodId"] == "-//B//")
        #expect(card.conflicts.isEmpty)
        let odd = CardBuilder.record("c", replica: 3, from: 20, [("vCardProps", "none")])
        #expect(CardBuilder.card([one, odd]).conflicts.map(\.field) == [CardBuilder.key("vCardProps")])
    }

    @Test("of `updated` and `version` the greater is shown, never as a conflict")
    func bookkeeping() {
        let one = CardBuilder.record("a", from: 1, [("updated", "2026-02-01T00:00:00Z"), ("version", "2.0")])
        let two = CardBuilder.record(
            "b",
            replica: 2,
            from: 10,
            [("updated", "2026-01-01T00:00:00Z"), ("version", "1.0")]
        )
        let card = card(one, two)
        #expect(card.card["updated"] == "2026-02-01T00:00:00Z" && card.card["version"] == "2.0")
        #expect(card.conflicts.isEmpty)
    }

    @Test("the card's uid is the smallest that is not made, and every uid is named")
    func uid() {
        let made = MadeUID.make(JSONObject(), hash: .test)
        let card = card(
            CardBuilder.record(made, []),
            CardBuilder.record("zz", []),
            CardBuilder.record("za", [])
        )
        #expect(card.uid == UID("za"))
        #expect(Set(card.uids) == [UID("za"), UID("zz"), UID(made)])
        #expect(CardBuilder.card([CardBuilder.record(made, [])]).uid == UID(made))
    }

    @Test("the card does not depend on the order of records, fields or dots", arguments: 0..<UInt64(20))
    func isPure(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let machines = [HistoryMachine(1), HistoryMachine(2), HistoryMachine(3)]
        for step in 0..<12 {
            let machine = machines[random.below(3)]
            machine.add(
                "f\(random.below(3))",
                ["Ana", "ana", "Ana Holm", "Bob", ""][random.below(5)],
                (0..<random.below(3)).map { _ in "+\(random.below(3))" },
                note: "n\(step % 4)"
            )
        }
        #expect(settle(machines) == nil)
        let records = Array(machines[0].records.values).filter { !$0.uid.isBook }
        let first = CardBuilder.card(records)
        for _ in 0..<8 {
            // Built in another order.
            let again = records.shuffled(using: &random).map { record in
                var copy = Record(uid: record.uid)
                copy.seen = record.seen
                for (key, versions) in record.fields.shuffled(using: &random) {
                    for (dot, version) in versions.shuffled(using: &random) {
                        copy.fields[key, default: [:]][dot] = version
                    }
                }
                return copy
            }
            let card = CardBuilder.card(again)
            #expect(JSONWriter.text(.object(card.card)) == JSONWriter.text(.object(first.card)))
            #expect(card.items.mapValues(\.sources) == first.items.mapValues(\.sources))
            #expect(card.conflicts.map(\.field) == first.conflicts.map(\.field))
            #expect(
                card.conflicts.map { $0.others.map(\.source) }
                    == first.conflicts.map { $0.others.map(\.source) }
            )
        }
    }
}
