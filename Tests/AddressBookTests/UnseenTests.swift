import AddressBook
import JSON
import Replication
import Testing

/// What an edit does to that which its writer had not seen, and to that which he had (DESIGN.md 3 and 5).
@Suite("Seen and unseen")
struct UnseenTests {
    private let a = HistoryMachine(1)
    private let b = HistoryMachine(2)

    @Test("the absence of a file that was just edited takes no edit with it that the file never showed")
    func absenceAfterEdit() throws {
        a.add("f", "Ana", ["+1"])
        a.give(to: b)
        let opened = a.open(a.person("f"))
        b.save("f", [HistoryMachine.note: "from afar"])
        b.give(to: a)
        a.delete(a.save(opened, [.name: ["full": "Ana Holm"]]))
        #expect(settle([a, b]) == nil)
        try #require(a.person("f") == [UID("f")])
        #expect(a.said(a.person("f")).contains("from afar"))
    }

    @Test("the absence of a file that was just edited, and showed all, is a deletion")
    func absenceOfAll() {
        a.add("f", "Ana", ["+1"])
        a.delete(a.save(a.open(a.person("f")), [.name: ["full": "Ana Holm"]]))
        #expect(a.persons().isEmpty)
    }

    @Test("a value that two records hold differently is, once written, what was written, in both")
    func differentObjects() {
        let key = FieldKey(member: "example.com:own")
        for (uid, value) in [("f", JSONValue.object(JSONObject())), ("g", ["x": 1]), ("h", ["y": 2])] {
            a.write {
                $0.add(
                    UID(uid),
                    a.saved([
                        .name: ["full": "Ana"], FieldKey(member: "phones", entry: "p"): ["number": "+1"],
                        key: value,
                    ])
                )
            }
        }
        a.save("f", [key: ["y": 3]])
        let card = a.card(a.person("f"))
        #expect(card.uids.count == 3)
        #expect(card.card["example.com:own"] == ["y": 3])
        #expect(card.conflicts.isEmpty)
    }
}
