import AddressBook
import Contacts
import JSON
import Replication
import TestSupport
import Testing

/// Cards taken apart and put together again.
@Suite("Fields of a card")
struct CardFieldsTests {
    static let odd = [
        #"{"@type":"Card","version":"1.0","uid":"u","@alive":true,"@same/x":1,"name":{"full":"Ana"}}"#,
        #"{"@type":"Card","version":"1.0","uid":"u","a/b":1,"a~b":2,"~":3,"~1":4,"/":5,"":6,"@":7}"#,
        #"{"@type":"Card","version":"1.0","uid":"u","phones":{},"keywords":{},"localizations":{},"x":{}}"#,
        #"{"@type":"Card","version":"1.0","uid":"u","keywords":{"a/b":true,"~0":true,"":true,"@x":true}}"#,
        "{\"@type\":\"Card\",\"version\":\"1.0\",\"uid\":\"u\",\"\u{E9}\":1,\"e\u{301}\":2,\"keywords\":{\"\u{E9}\":true,\"e\u{301}\":true}}",
        #"{"@type":"Card","version":"1.0","uid":"u","emails":{"a/b":{"address":"x"},"":{"address":"y"}}}"#,
        #"{"@type":"Card","version":"1.0","uid":"u","vendor.example:x":[1.50,1e3,null,{"a":[]}],"n":null}"#,
        #"{"@type":"Card","version":"1.0","uid":"u","members":{"urn:uuid:1":true},"kind":"group"}"#,
    ]

    @Test("a card with odd members survives splitting, a record and its own card unchanged", arguments: odd)
    func survives(text: String) throws {
        let item = try ContactItem.read(try CardBuilder.json(text))
        let saved = try CardBuilder.saved(text)
        #expect(CardBuilder.text(CardFields.join(CardFields.split(item.card))) == CardBuilder.text(item.card))
        #expect(saved.fields.allSatisfy { !$0.key.isOwn })
        let machine = HistoryMachine(1)
        machine.write { $0.add(UID("u"), saved) }
        let card = machine.card(machine.person("u"))
        #expect(CardBuilder.text(card.card) == CardBuilder.text(item.card))
        #expect(card.conflicts.isEmpty)
        #expect(saved.content(.test) == machine.open(machine.person("u")).base.content(.test))
        // A save of what is shown is no edit.
        let opened = machine.open(machine.person("u"))
        #expect(CardEdit(saved, bases: [opened.base]).isEmpty)
    }

    @Test("a card with every entry twice says the same as the card that it shows")
    func contentOnce() throws {
        let text = #"{"name":"Ana","phones":["+1","+ 1","+2"],"emails":["a@x","a@x"]}"#
        let saved = try CardBuilder.saved(text)
        let machine = HistoryMachine(1)
        machine.write { $0.add(UID("u"), saved) }
        let card = machine.card(machine.person("u"))
        #expect(card.card["phones"]?.object?.count == 2)
        #expect(saved.content(.test) == machine.open(machine.person("u")).base.content(.test))
    }

    @Test("what is said does not depend on the order of members, nor on uid, version or updated")
    func contentHash() throws {
        let one = try CardBuilder.saved(#"{"@type":"Card","version":"1.0","name":{"full":"A"},"x":1}"#)
        let two = try CardBuilder.saved(
            #"{"@type":"Card","version":"2.0","uid":"u","updated":"2026-01-01T00:00:00Z","x":1,"name":{"full":"A"}}"#
        )
        let three = try CardBuilder.saved(#"{"@type":"Card","version":"1.0","name":{"full":"A"},"x":2}"#)
        #expect(one.content(.test) == two.content(.test))
        #expect(one.content(.test) != three.content(.test))
    }

    @Test("an empty map says nothing beside entries, neither does one alone say what an entry says")
    func emptyMaps() throws {
        let one = Version(time: .zero, session: "s", value: ["number": "1"])
        let empty = Version(time: .zero, session: "s", value: [:])
        func content(_ fields: [(FieldKey, Version)]) -> ContentHash {
            var record = Record(uid: UID("u"))
            for (n, (key, version)) in fields.enumerated() {
                record.put(key, version, dot: Dot(replica: ReplicaID(1), counter: UInt64(n + 1)), over: [])
            }
            return Base(PersonCard([record]), records: [record], time: 0, hash: .test).content(.test)
        }
        let (map, entry) = (FieldKey(member: "phones"), FieldKey(member: "phones", entry: "p1"))
        // Between the two names another comes in the order of bytes.
        let other = (FieldKey(member: "phones!x"), one)
        #expect(content([(map, empty), other, (entry, one)]) == content([other, (entry, one)]))
        #expect(content([(map, empty), other]) != content([other]))
        #expect(content([(map, empty)]) != content([(entry, empty)]))
        let file = try CardBuilder.saved(
            ##"{"@type":"Card","version":"1.0","phones":{"p1":{"number":"1"}}}"##
        )
        #expect(content([(map, empty), (entry, one)]) == file.content(.test))
    }

    @Test("a group of twenty thousand members is taken apart, stored and shown in a moment")
    func largeGroup() throws {
        let members = (0..<20_000).map { JSONObject.Member(key: "urn:uuid:\($0)", value: true) }
        let object: JSONValue = [
            "@type": "Card", "version": "1.0", "kind": "group",
            "members": .object(JSONObject(uniqueMembers: members)),
        ]
        let item = try ContactItem.read(object)
        let saved = SavedCard(item.card, isPlain: false, hash: .test) { _ in nil }
        let clock = ContinuousClock()
        let took = clock.measure {
            let machine = HistoryMachine(1)
            machine.write { $0.add(UID("g"), saved) }
            let card = machine.card(machine.person("g"))
            #expect(card.card["members"]?.object?.count == 20_000)
        }
        // One that copies all for each would take minutes.
        #expect(took < .seconds(30))
    }

    @Test("what people said of a uid that begins with a combining mark is understood")
    func combiningUID() {
        let machine = HistoryMachine(1)
        machine.add("\u{301}a", "Ana", [])
        machine.add("b", "Ana", [])
        machine.merge([UID("\u{301}a")], [UID("b")])
        #expect(machine.persons().count == 1)
        machine.merge([UID("\u{301}a")], [UID("\u{302}z")])
        machine.add("\u{302}z", "Bob", [])
        #expect(machine.persons().count == 1)
        machine.unmerge(machine.person("b"), "\u{301}a")
        #expect(machine.person("b").contains(UID("\u{301}a")) == false)
    }
}
