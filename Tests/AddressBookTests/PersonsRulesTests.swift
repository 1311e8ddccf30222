import AddressBook
import Contacts
import JSON
import Replication
import TestSupport
import Testing

/// The rules of DESIGN.md 4, told as histories; those of the executable specification are among them.
@Suite("Who is the same")
struct PersonsRulesTests {
    @Test("the order in which contacts arrive does not matter", arguments: [Policy.phone, .careful])
    func order(policy: Policy) {
        for seed in 0..<25 {
            var random = SeededGenerator(seed: UInt64(seed))
            let contacts = (0..<[3, 4, 5, 7][random.below(4)]).map {
                RandomContact($0, &random, numbersInAll: 3)
            }
            var seen: Set<[[String]]> = []
            for _ in 0..<8 {
                var book = PersonsBook(policy)
                for contact in contacts.shuffled(using: &random) {
                    book.add(contact.uid, contact.name, contact.numbers, kind: contact.kind)
                }
                seen.insert(book.persons)
                Self.expectEqualNamesAreOne(book, "seed \(seed)")
                if policy == .careful { Self.expectCompatibleNames(book, "seed \(seed)") }
            }
            #expect(seen.count == 1, "seed \(seed)")
        }
    }

    @Test("after edits and merges equal name on an equal number is still one, and so is what people joined")
    func equalAfterEdit() {
        for seed in 0..<80 {
            var random = SeededGenerator(seed: UInt64(seed))
            var book = PersonsBook(random.chance(0.5) ? .phone : .careful)
            for n in 0..<[3, 3, 4, 5][random.below(4)] {
                let contact = RandomContact(n, &random, numbersInAll: 2)
                book.add(contact.uid, contact.name, contact.numbers)
                if random.chance(0.4) {
                    book.join(book.persons[random.below(book.persons.count)], merge: false)
                }
                if random.chance(0.2), book.persons.count > 1 {
                    let two = book.persons.shuffled(using: &random).prefix(2)
                    book.join(Array(two.joined()), merge: true)
                }
            }
            for uid in book.index.catalog.allUIDs {
                for other in book.index.catalog.profile(of: uid)?.same ?? [] {
                    #expect(book.index.person(of: uid) == book.index.person(of: other), "seed \(seed)")
                }
            }
            Self.expectEqualNamesAreOne(book, "seed \(seed)")
        }
    }

    @Test("judging again what a deletion touches says what judging everything says")
    func around() {
        for seed in 0..<100 {
            var random = SeededGenerator(seed: UInt64(seed))
            var book = PersonsBook(random.chance(0.5) ? .phone : .careful)
            for n in 0..<[3, 4, 5, 6][random.below(4)] {
                let contact = RandomContact(n, &random, numbersInAll: 4)
                book.add(contact.uid, contact.name, contact.numbers, kind: contact.kind)
            }
            let uids = book.index.catalog.allUIDs
            book.delete(uids[random.below(uids.count)].text)
            #expect(book.index.persons == book.plain, "seed \(seed)")
            #expect(book.told == Set(book.plain), "seed \(seed)")
        }
    }

    @Test("judging again what a deletion touches reaches a person on none of its numbers")
    func farAway() {
        var book = PersonsBook(.careful)
        book.add("f1", "Ana", ["+1"])
        book.add("f2", "", ["+1", "+2"])
        book.add("f3", "", ["+2", "+3"])
        book.add("f4", "Bob", ["+3"])
        #expect(book.persons == [["f1", "f2", "f3"], ["f4"]])
        book.delete("f1")
        #expect(book.persons == [["f2", "f3", "f4"]])
    }

    @Test("a card without a name joins no two that were set apart")
    func thirdFitsBoth() {
        var book = PersonsBook(.phone)
        book.add("f1", "Ana", ["+1", "+2"])
        book.add("f2", "Bob", ["+1", "+3"])
        book.add("f3", "", ["+1", "+3"])
        #expect(!book.persons.contains { $0.contains("f1") && $0.contains("f2") })
    }

    @Test("what people merged is one, whatever the evidence", arguments: Policy.allCases)
    func mergedByHand(policy: Policy) {
        var book = PersonsBook(policy)
        book.add("f1", "Wanda", ["+1"])
        book.add("f2", "Xavier", ["+1"])
        book.join(["f1", "f2"], merge: true)
        book.add("f3", "Zoe", ["+1"])
        #expect(book.persons.contains(["f1", "f2"]))
    }

    @Test("a confirmed person stays whole without the number, and without the record, that made it one")
    func confirmed() {
        var book = PersonsBook(.phone)
        for uid in ["f1", "f2", "f3"] { book.add(uid, "Ana", ["+1"]) }
        book.join(["f1", "f2", "f3"], merge: false)
        for uid in ["f1", "f2", "f3"] { book.change(uid) { $0.phones = [:] } }
        book.delete("f2")
        #expect(book.persons == [["f1", "f3"]])
    }

    @Test("deleting the third name of a switchboard merges nobody")
    func thirdDeleted() {
        var book = PersonsBook(.phone)
        for (uid, name) in [("f1", "Wanda"), ("f2", "Xavier")] { book.add(uid, name, ["+1"]) }
        #expect(book.persons == [["f1", "f2"]])
        book.add("f3", "Zoe", ["+1"])
        #expect(book.persons == [["f1"], ["f2"], ["f3"]])
        book.delete("f3")
        #expect(book.persons == [["f1"], ["f2"]])
        #expect(book.index.catalog.mark(of: "+1") == .found)
    }

    @Test("a number that people said is someone's own is no switchboard, although three names carry it")
    func notShared() {
        var book = PersonsBook(.phone)
        for (uid, name) in [("f1", "Wanda"), ("f2", "Xavier"), ("f3", "Zoe")] { book.add(uid, name, ["+1"]) }
        book.apply([], shared: [("+1", .no)])
        #expect(book.persons == [["f1", "f2", "f3"]])
        #expect(book.index.findings().isEmpty)
        book.apply([], shared: [("+1", .yes)])
        #expect(book.persons.count == 3)
    }

    @Test("names that differ in composed and decomposed letters, case and white space are equal")
    func folded() {
        var book = PersonsBook(.phone)
        book.add("f1", "Zoë  Bär", ["+1!", "+2"])
        book.add("f2", "zoe\u{308} ba\u{308}r", ["+1", "+3"])
        book.tellApart("f1", "f2")
        book.add("f3", "ZOË BÄR", ["+1"])
        #expect(book.persons == [["f1", "f3"], ["f2"]])
        #expect(book.index.persons == book.plain)
    }

    @Test("distinct holds against a merge, and a later merge against distinct")
    func distinct() {
        var book = PersonsBook(.phone)
        book.add("f1", "Ana", ["+1"])
        book.add("f2", "Ana", ["+1"])
        book.tellApart("f1", "f2")
        book.change("f2") { $0.same = [UID("f1")] }
        #expect(book.persons == [["f1"], ["f2"]])
        book.join(["f1", "f2"], merge: true)
        #expect(book.persons == [["f1", "f2"]])
    }

    @Test("each reason for which two that share a number are not one is told")
    func reasons() {
        func reasons(_ policy: Policy, _ build: (inout PersonsBook) -> Void) -> [Unjoined] {
            var book = PersonsBook(policy)
            build(&book)
            return book.index.candidatesNotJoined()
        }
        func two(_ first: String, _ second: String, kind: String = Profile.individual, own: Bool = false)
            -> (inout PersonsBook) -> Void
        {
            { book in
                book.add("f1", first, own ? ["+1", "+2"] : ["+1"])
                book.add("f2", second, own ? ["+1", "+3"] : ["+1"], kind: kind)
            }
        }
        func one(_ reason: Unjoined.Reason) -> [Unjoined] {
            [Unjoined(key: "+1", persons: [[UID("f1")], [UID("f2")]], reason: reason)]
        }
        #expect(reasons(.phone, two("Ana", "Bob")) == [])
        #expect(reasons(.phone, two("Ana", "Bob", own: true)) == one(.household))
        #expect(reasons(.careful, two("Ana", "Bob")) == one(.names))
        #expect(reasons(.suggest, two("Ana", "Ana")) == one(.policy))
        #expect(reasons(.phone, two("Ana", "Ana", kind: "org")) == one(.kind))
        #expect(
            reasons(.phone) { book in
                two("Ana", "Ana")(&book); book.tellApart("f1", "f2")
            } == one(.toldApart)
        )
        #expect(
            reasons(.phone) { book in
                two("Ana", "Bob")(&book)
                book.apply([], shared: [("+1", .yes)])
            } == one(.marked)
        )
        #expect(
            reasons(.phone) { book in
                two("Ana", "Bob")(&book)
                book.apply([], shared: [("+1", .found)])
            } == one(.switchboard)
        )
        let between = reasons(.phone) { book in
            two("Ana", "Bob", own: true)(&book)
            book.add("f3", "", ["+1"])
        }
        #expect(between.map(\.reason) == [.household, .fitsTwo])
        let others = reasons(.careful) { book in
            two("Ana", "", own: false)(&book)
            book.change("f2") { $0.phones["+9"] = false }
            book.add("f3", "Bob", ["+9"])
        }
        #expect(others.map(\.reason) == [.wouldJoinOthers])
    }

    // MARK: What always holds

    private static func expectEqualNamesAreOne(_ book: PersonsBook, _ story: Comment) {
        let catalog = book.index.catalog
        for key in catalog.allKeys {
            let profiles = catalog.uids(on: key).compactMap { catalog.profile(of: $0) }
            for a in profiles where a.kind != Profile.group && !a.name.isEmpty {
                for b in profiles where b.name == a.name && b.kind == a.kind {
                    #expect(book.index.person(of: a.uid) == book.index.person(of: b.uid), story)
                }
            }
        }
    }

    private static func expectCompatibleNames(_ book: PersonsBook, _ story: Comment) {
        for person in book.index.persons {
            let names = person.compactMap { book.index.catalog.profile(of: $0)?.name }.filter { !$0.isEmpty }
            for a in names { for b in names { #expect(a.isCompatible(with: b), story) } }
        }
    }
}
