import AddressBook
import Contacts
import JSON
import Replication
import TestSupport
import Testing

/// What a save changes, and what of the records it touches (DESIGN.md 3 and 5).
@Suite("Edits of cards")
struct CardEditTests {
    private let a = HistoryMachine(1)
    private let b = HistoryMachine(2)
    private let note = HistoryMachine.note

    private func key(_ raw: String) -> FieldKey { CardBuilder.key(raw) }

    private func base(_ text: String, time: UInt64) throws -> Base {
        let saved = try CardBuilder.saved(text)
        var base = Base(time: time, uids: [UID("u")], items: [:], alive: [:])
        for field in saved.fields {
            let keys = field.phoneKey.map { [$0] } ?? []
            base.items[field.key] = Base.Item(hash: field.hash, phoneKeys: keys, sources: [])
        }
        return base
    }

    @Test(
        "a save is compared with the version from which it differs in the fewest fields, the newest of equals"
    )
    func fewest() throws {
        let newest = try base(#"{"name":"A","phone":"+1","x":1,"y":1}"#, time: 3)
        let middle = try base(#"{"name":"A","phone":"+1","x":2,"y":1}"#, time: 2)
        let oldest = try base(#"{"name":"A","phone":"+1","x":2,"y":2}"#, time: 1)
        let bases = [newest, middle, oldest]
        let near = CardEdit(try CardBuilder.saved(#"{"name":"B","phone":"+1","x":2,"y":2}"#), bases: bases)
        #expect(near.base.time == 1 && near.changes.map(\.key) == [.name])
        let tie = CardEdit(try CardBuilder.saved(#"{"name":"A","phone":"+1","x":3,"y":1}"#), bases: bases)
        #expect(tie.base.time == 3 && tie.changes.map(\.key) == [key("x")])
        let same = CardEdit(try CardBuilder.saved(#"{"name":"A","phone":"+1","x":1,"y":1}"#), bases: bases)
        #expect(same.isEmpty && same.base.time == 3)
    }

    @Test("a save that equals an older version returns to it, also if both were shown in one millisecond")
    func returns() throws {
        for time in [UInt64(1), 3] {
            let newest = try base(#"{"name":"A","x":1}"#, time: 3)
            let older = try base(#"{"name":"A","x":2}"#, time: time)
            let edit = CardEdit(try CardBuilder.saved(#"{"name":"A","x":2}"#), bases: [newest, older])
            #expect(edit.changes.map(\.key) == [key("x")])
            #expect(edit.changes.first?.new?.value == 2)
            #expect(!edit.isEmpty)
        }
    }

    @Test("a return to an older version stands beside what came since, and is shown")
    func returnIsConcurrent() {
        a.add("f", "Ana", [], note: "old")
        let old = a.open(a.person("f"))
        a.save("f", [note: "new"])
        let new = a.open(a.person("f"))
        let edit = CardEdit(a.saved(old.items), bases: [new.base, old.base])
        a.write { $0.edit(edit) }
        let card = a.card(a.person("f"))
        #expect(card.card["note"] == "old")
        #expect(card.conflicts.flatMap { $0.others.map(\.version.value) } == ["new"])
    }

    @Test("`updated` and `version` alone are no edit")
    func bookkeeping() throws {
        let base = try base(#"{"@type":"Card","version":"1.0","name":{"full":"A"}}"#, time: 1)
        let saved = try CardBuilder.saved(
            #"{"@type":"Card","version":"2.0","updated":"2026-01-01T00:00:00Z","name":{"full":"A"}}"#
        )
        #expect(CardEdit(saved, bases: [base]).isEmpty)
    }

    @Test(
        "entries of the plain form go by equal text, then equal key, then the one left on each side; others are new"
    )
    func plainEntries() throws {
        let base = try base(#"{"name":"A","phones":["+1","+2","+3"]}"#, time: 1)
        func changes(_ text: String) throws -> [String] {
            CardEdit(try CardBuilder.saved(text), bases: [base]).changes.map {
                $0.key.text.text + ($0.old == nil ? " new" : $0.new == nil ? " gone" : " changed")
            }
        }
        #expect(try changes(#"{"name":"A","phones":["+3","+2","+1"]}"#) == [])
        #expect(
            try changes(#"{"name":"A","phones":["+3","+ 1"]}"#) == ["phones/p1 changed", "phones/p2 gone"]
        )
        #expect(try changes(#"{"name":"A","phones":["+9","+3","+1"]}"#) == ["phones/p2 changed"])
        #expect(
            try changes(#"{"name":"A","phones":["+8","+3","+9"]}"#)
                == ["phones/p1 gone", "phones/p2 gone", "phones/p4 new", "phones/p5 new"]
        )
        #expect(try changes(#"{"name":"A","phones":["+1","+2","+3","+4"]}"#) == ["phones/p4 new"])
    }

    @Test("an edit writes what was changed and nothing else")
    func onlyChanged() throws {
        a.add("f", "Ana", ["+1", "+2"], note: "n")
        let before = try #require(a.records[UID("f")])
        a.save("f", [key("phones/p1"): ["number": "+3"]])
        let after = try #require(a.records[UID("f")])
        for (key, versions) in before.fields where key != .alive && key != self.key("phones/p1") {
            #expect(after.fields[key] == versions)
        }
        let creations = after.fields[key("phones/p1")]?.map { $0.value.creation ?? $0.key }
        #expect(creations == before.fields[key("phones/p1")].map { Array($0.keys) })
    }

    @Test("an old editor buffer reverts nobody")
    func oldBuffer() {
        a.add("f", "Ana", ["+1"], note: "n")
        let old = a.open(a.person("f"))
        a.save("f", [note: "newer"])
        a.save(old, [key("phones/p0"): ["number": "+9"]])
        let card = a.card(a.person("f"))
        #expect(card.card["note"] == "newer" && card.phones.map(\.number) == ["+9"])
        #expect(card.conflicts.isEmpty)
    }

    @Test("an edit of a united number changes in each record only what was changed of it")
    func unitedNumber() {
        a.write {
            $0.add(UID("f"), a.saved([.name: ["full": "Ana"], key("phones/p"): ["number": "+1", "own": 1]]))
        }
        a.write {
            $0.add(UID("g"), a.saved([.name: ["full": "Ana"], key("phones/p"): ["number": "+1", "its": 2]]))
        }
        a.save("f", [key("phones/p"): ["number": "+1", "own": 1, "its": 2, "label": "x"]])
        func value(_ uid: String) -> JSONValue? {
            a.records[UID(uid)]?.fields[key("phones/p")]?.values.first?.value
        }
        #expect(value("f") == ["number": "+1", "own": 1, "label": "x"])
        #expect(value("g") == ["number": "+1", "its": 2, "label": "x"])
    }

    @Test("a nickname that a lost name agrees with is edited as a nickname, and no record becomes nameless")
    func nicknameAndLostName() throws {
        for change in [JSONValue?.none, ["name": "Wanda the First"]] {
            let a = HistoryMachine(1)
            a.write {
                $0.add(UID("f"), a.saved([.name: ["full": "Wanda"], key("phones/p"): ["number": "+1"]]))
            }
            a.write {
                $0.add(
                    UID("g"),
                    a.saved([
                        .name: ["full": "Xavier"], key("phones/p"): ["number": "+1"],
                        key("nicknames/n"): ["name": "wanda"],
                    ])
                )
            }
            #expect(a.persons().count == 1)
            #expect(a.card(a.person("f")).card["nicknames"]?.object?.count == 1)
            a.save("f", [key("nicknames/n"): change])
            let nicknames = a.card(a.person("f")).card["nicknames"]?.object?.members ?? []
            #expect(nicknames.map(\.value) == (change.map { [$0] } ?? []))
            a.unmerge(a.person("f"), "g")
            #expect(a.persons().map { a.card($0).name } == ["Xavier", "Xavier"])
        }
    }

    @Test("a rename reaches also the record whose name is shown as a nickname that it shares with another")
    func renameSharedNickname() {
        a.write { $0.add(UID("f"), a.saved([.name: ["full": "Wanda"], key("phones/p"): ["number": "+1"]])) }
        a.write {
            $0.add(
                UID("g"),
                a.saved([
                    .name: ["full": "Xavier"], key("phones/p"): ["number": "+1"],
                    key("nicknames/n"): ["name": "Wanda"],
                ])
            )
        }
        a.save("f", [.name: ["full": "Xavier Young"]])
        a.unmerge(a.person("f"), "g")
        #expect(a.persons().map { a.card($0).name } == ["Xavier Young", "Xavier Young"])
    }

    @Test(
        "what the file shows after an edit is what the next one replaces: two renames leave one name behind"
    )
    func renameTwice() {
        a.add("f", "Wanda", ["+1"])
        a.add("g", "Xavier", ["+1"])
        var opened = a.open(a.person("f"))
        for name in ["Xavier Young", "Xavier Zander"] {
            opened.items[.name] = ["full": .string(name)]
            let edit = CardEdit(a.saved(opened.items), bases: [opened.base])
            a.write { editor in
                editor.edit(edit)
                opened.base = Base(after: edit, editor: &editor, time: 1)
            }
        }
        let card = a.card(a.person("f"))
        #expect(card.name == "Xavier Zander")
        #expect(!a.said(a.person("f")).contains("Young"))
    }

    @Test("two entries under one Id, edited in one save, stay two for the next")
    func oneIdTwice() throws {
        a.add("f", "Ana", ["+1"])
        b.add("f", "Ana", ["+2"])
        #expect(settle([a, b]) == nil)
        var opened = a.open(a.person("f"))
        let keys = opened.items.keys.filter { $0.member == "phones" }.sorted()
        try #require(keys.count == 2)
        for (key, number) in zip(keys, ["+5", "+6"]) { opened.items[key] = HistoryMachine.number(number) }
        for next in ["+7", "+8"] {
            let edit = CardEdit(a.saved(opened.items), bases: [opened.base])
            a.write { editor in
                editor.edit(edit)
                opened.base = Base(after: edit, editor: &editor, time: 1)
            }
            opened.items[keys[0]] = HistoryMachine.number(next)
        }
        #expect(Set(a.card(a.person("f")).phones.map(\.number)) == ["+7", "+6"])
    }

    @Test("a first scan takes no dated word away: an edit made apart from a deletion still wins")
    func firstScanLeavesAlive() {
        a.add("f", "Ana", ["+1"])
        a.give(to: b)
        let c = HistoryMachine(3)
        b.delete(b.open(b.person("f")))
        a.save("f", [note: "edited"])
        a.give(to: c)
        c.add("f", "Ana", ["+1"], isFirstScan: true)
        #expect(settle([a, b, c]) == nil)
        #expect(b.person("f") == [UID("f")])
    }

    @Test("a first scan that finds a deleted contact's old file leaves what can be restored of it")
    func firstScanLeavesValues() {
        a.add("f", "Ana", ["+1"], note: "kept")
        a.delete(a.open(a.person("f")))
        a.give(to: b)
        b.add("f", "Ana", ["+1"], isFirstScan: true)
        #expect(b.persons().isEmpty)
        b.write { $0.touch([UID("f")]) }
        #expect(b.card(b.person("f")).card["note"] == "kept")
        #expect(b.card(b.person("f")).phones.count == 1)
    }
}
