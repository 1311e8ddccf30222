import AddressBook
import Contacts
import JSON
import Replication
import Testing

/// The single histories of the model, on our own code.
@Suite("Single histories")
struct SingleHistoryTests {
    private let a = HistoryMachine(1)
    private let b = HistoryMachine(2)

    private func phone(_ machine: HistoryMachine, _ uid: String, _ number: String) -> FieldKey {
        let card = machine.card(machine.person(uid))
        return card.items.first { $0.value.value.object?["number"]?.string == number }?.key ?? .name
    }

    private func nickname(_ machine: HistoryMachine, _ uid: String) -> FieldKey {
        machine.card(machine.person(uid)).items.first { $0.value.isLostName }?.key ?? .name
    }

    @Test(
        "a merged person edited so that the shared number is removed stays whole everywhere",
        arguments: Policy.allCases
    )
    func numberRemoved(policy: Policy) {
        let b = HistoryMachine(2, policy)
        a.add("f1", "Ana", ["+1"])
        a.add("f2", "Ana", ["+1", "+2"])
        a.add("f3", "Ana", ["+1"])
        a.give(to: b)
        a.save("f1", [phone(a, "f1", "+1"): JSONValue?.none])
        #expect(settle([a, b]) == nil)
        #expect(a.persons().count == 1 && b.persons().count == 1)
        #expect(!b.said(b.persons()[0]).contains("\"+1\""))
    }

    @Test("a confirmed person of three stays whole when the middle one alone is deleted elsewhere")
    func middleDeleted() {
        for uid in ["f1", "f2", "f3"] { a.add(uid, "Ana", ["+1"]) }
        a.save("f1", [phone(a, "f1", "+1"): JSONValue?.none])
        a.dropAlive("f2")
        #expect(a.persons().count == 1)
    }

    @Test("after unmerge each contact has its name and stays apart, also against an old editor buffer")
    func unmerged() {
        let b = HistoryMachine(2, .careful)
        a.add("f1", "Ulla Voss", ["+1"])
        a.add("f2", "Ulla Voss", ["+1", "+2"])
        a.give(to: b)
        let old = b.open(b.person("f1"))
        a.save("f1", [.name: ["full": "Ulla Wolf"]])
        a.unmerge(a.person("f1"), "f2")
        a.give(to: b)
        b.save(old, [HistoryMachine.note: "x"])
        #expect(settle([a, b]) == nil)
        for machine in [a, b] {
            #expect(machine.persons().count == 2)
            #expect(machine.persons().allSatisfy { machine.card($0).name == "Ulla Wolf" })
        }
    }

    @Test("after a lost full name is removed from the nicknames and unmerge, each contact still has a name")
    func nicknameRemoved() {
        a.add("f1", "Wanda", ["+1"])
        a.add("f2", "Xavier", ["+1"])
        a.save("f1", [nickname(a, "f1"): JSONValue?.none])
        a.unmerge(a.person("f1"), "f2")
        #expect(a.persons().count == 2)
        #expect(a.persons().allSatisfy { a.card($0).name != nil })
    }

    @Test("renaming a merged contact loses none of its other names")
    func renameKeeps() {
        a.add("f1", "Wanda", ["+1"])
        a.add("f2", "Xavier", ["+1"])
        a.save("f1", [.name: ["full": "Xavier Young"]])
        #expect(a.said(a.persons()[0]).contains("Wanda"))
    }

    @Test("what people merged is one, whatever the evidence, on all machines", arguments: Policy.allCases)
    func mergedByHand(policy: Policy) {
        let (a, b) = (HistoryMachine(1, .careful), HistoryMachine(2, policy))
        a.add("f1", "Wanda", ["+1"])
        a.add("f2", "Xavier", ["+1"])
        a.merge([UID("f1")], [UID("f2")])
        a.add("f3", "Zoe", ["+1"])
        #expect(settle([a, b]) == nil)
        for machine in [a, b] { #expect(Set(machine.person("f1")).isSuperset(of: [UID("f1"), UID("f2")])) }
    }

    @Test("deleting the third name of a switchboard merges nobody, also after forgetting and a restart")
    func thirdDeleted() {
        for (uid, name) in [("f1", "Wanda"), ("f2", "Xavier"), ("f3", "Zoe")] { a.add(uid, name, ["+1"]) }
        a.give(to: b)
        a.delete(a.open(a.person("f3")))
        a.start()
        a.forget()
        b.forget()
        a.look()
        #expect(settle([a, b]) == nil)
        #expect(a.persons().count == 2)
    }

    @Test("`shared --not` holds, although three names carry the number")
    func notShared() {
        for (uid, name) in [("f1", "Wanda"), ("f2", "Xavier"), ("f3", "Zoe")] { a.add(uid, name, ["+1"]) }
        a.give(to: b)
        a.share("+1", .no)
        #expect(settle([a, b]) == nil)
        #expect(a.persons().count == 1)
    }

    @Test("distinct wins over a concurrent merge, and a later merge over distinct")
    func distinctWins() {
        a.add("f1", "Ana", [])
        a.add("f2", "Ana", [])
        a.give(to: b)
        a.merge([UID("f1")], [UID("f2")])
        b.unmerge([UID("f1"), UID("f2")], "f2")
        #expect(settle([a, b]) == nil)
        #expect(a.persons().count == 2)
        b.merge([UID("f1")], [UID("f2")])
        #expect(settle([a, b]) == nil)
        #expect(a.persons().count == 1)
    }

    @Test(
        "an edit made apart from a deletion wins with the whole contact, also after forgetting on the other side"
    )
    func editBeats() {
        a.add("f1", "Ana", ["+1"])
        a.add("f2", "Ana", ["+1", "+2"])
        a.give(to: b)
        a.delete(a.open(a.person("f1")))
        a.forget()
        b.save("f1", [HistoryMachine.note: "y"])
        #expect(settle([a, b]) == nil)
        #expect(a.persons().count == 1)
        for text in ["+1", "+2", "Ana", "\"y\""] { #expect(a.said(a.persons()[0]).contains(text)) }
    }

    @Test("a lost database undoes nobody's work and revives no contact")
    func lostDatabase() {
        a.add("f1", "Ana", ["+1", "+2"], note: "old")
        a.add("f2", "Bob", ["+3"])
        a.give(to: b)
        b.lose()
        a.save("f1", [HistoryMachine.note: "new"])
        a.delete(a.open(a.person("f2")))
        b.comeBack()
        #expect(settle([a, b]) == nil)
        #expect(a.card(a.person("f1")).items[HistoryMachine.note]?.value == "new")
        #expect(a.person("f2").isEmpty)
    }

    @Test("two machines that begin with their own old files of one contact show both, also after an edit")
    func firstMeeting() {
        a.add("f1", "Ana", ["+1"], isFirstScan: true)
        b.add("f1", "Ana", ["+1", "+2"], isFirstScan: true)
        #expect(settle([a, b]) == nil)
        a.save("f1", [HistoryMachine.note: "x"])
        #expect(settle([a, b]) == nil)
        #expect(b.said(b.person("f1")).contains("+1") && b.said(b.person("f1")).contains("+2"))
    }

    @Test("deleting a file deletes what it showed: a record that joined its person unseen stays")
    func unseenNotDeleted() {
        a.add("f1", "Ana", ["+1"])
        let opened = a.open(a.person("f1"))
        b.add("f2", "Ana", ["+1", "+2"])
        b.give(to: a)
        a.delete(opened)
        #expect(a.persons() == [[UID("f2")]])
    }

    @Test("a card without a name joins no two that were set apart")
    func thirdFitsBoth() {
        a.add("f1", "Ana", ["+1", "+2"])
        a.add("f2", "Bob", ["+1", "+3"])
        a.add("f3", "", ["+1", "+3"])
        #expect(!a.persons().contains { Set($0).isSuperset(of: [UID("f1"), UID("f2")]) })
    }

    @Test("judging again what a deletion touches reaches a person on none of its numbers")
    func farAway() throws {
        let a = HistoryMachine(1, .careful)
        for (uid, name, numbers) in [
            ("f1", "Ana", ["+1"]), ("f2", "", ["+1", "+2"]), ("f3", "", ["+2", "+3"]), ("f4", "Bob", ["+3"]),
        ] {
            a.add(uid, name, numbers)
        }
        var index = PersonsIndex(catalog: a.catalog, policy: .careful)
        a.dropAlive("f1")
        _ = index.apply([(UID("f1"), nil)], shared: [])
        #expect(index.persons.sorted { $0[0] < $1[0] } == a.persons().sorted { $0[0] < $1[0] })
    }
}
