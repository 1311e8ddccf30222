import AddressBook
import Contacts
import JSON
import Replication
import TestSupport
import Testing

@Suite("Persons, the fast way")
struct PersonsIndexTests {
    @Test(
        "after any change the fast way says what the plain way says",
        arguments: Policy.allCases
    )
    func equalsPlainWay(policy: Policy) {
        for seed in 0..<40 {
            var random = SeededGenerator(seed: UInt64(seed))
            let numbers = [1, 2, 3, 6][random.below(4)]
            var book = PersonsBook(policy)
            book.writesFindings = random.chance(0.5)
            for step in 0..<(random.chance(0.1) ? 40 : 14) {
                Self.change(&book, step, numbers, &random)
                #expect(book.index.persons == book.plain, "seed \(seed) step \(step)")
                #expect(book.told == Set(book.plain), "seed \(seed) step \(step)")
                #expect(
                    book.index.findings() == Judgement.findings(book.index.catalog),
                    "seed \(seed) step \(step)"
                )
                #expect(book.index.count == book.plain.count)
            }
            let anew = PersonsIndex(catalog: book.index.catalog, policy: policy)
            #expect(anew.persons == book.plain, "seed \(seed)")
            #expect(anew.findings() == book.index.findings(), "seed \(seed)")
            #expect(anew.mergedCount == book.index.mergedCount)
            for uid in book.index.catalog.allUIDs {
                #expect(book.index.person(of: uid)?.contains(uid) == true)
            }
        }
    }

    /// One random change of the kinds that a list makes.
    private static func change(
        _ book: inout PersonsBook,
        _ step: Int,
        _ numbers: Int,
        _ random: inout SeededGenerator
    ) {
        let uids = book.index.catalog.allUIDs.map(\.text)
        let marks: [SharedMark?] = [.found, .no, .yes, nil]
        func any(_ random: inout SeededGenerator) -> String { uids[random.below(uids.count)] }
        guard uids.count > 1, random.chance(0.55) else {
            let contact = RandomContact(step, &random, numbersInAll: numbers)
            book.add(contact.uid, contact.name, contact.numbers, kind: contact.kind)
            return
        }
        switch random.below(8) {
        case 0: book.delete(any(&random))
        case 1: book.join([any(&random), any(&random)], merge: true)
        case 2:
            let (a, b) = (any(&random), any(&random))
            if a != b { book.tellApart(a, b) }
        case 3: book.apply([], shared: [("+\(random.below(numbers))", marks[random.below(4)])])
        case 4: book.join(book.persons[random.below(book.persons.count)], merge: false)
        case 5:
            let name = RandomContact.names[random.below(RandomContact.names.count)]
            book.change(any(&random)) { $0.name = PersonName(name) }
        case 6:
            let key = "+\(random.below(numbers))"
            let isMarked = random.chance(0.1)
            book.change(any(&random)) { $0.phones[key] = $0.phones[key] == nil ? isMarked : nil }
        default:
            // Several at once, one of them gone and one of them another.
            let (a, b) = (any(&random), any(&random))
            let contact = RandomContact(step, &random, numbersInAll: numbers)
            let profile = Profile(uid: UID(b), name: PersonName(contact.name), phones: ["+0": false])
            book.apply([(UID(a), nil), (UID(b), profile)], shared: [("+1", marks[random.below(4)])])
        }
    }

    @Test("a change that changes nothing tells nothing")
    func nothing() {
        var book = PersonsBook(.phone)
        book.add("f1", "Ana", ["+1"])
        let profile = book.index.catalog.profile(of: UID("f1"))
        #expect(book.apply([(UID("f1"), profile), (UID("f9"), nil)]) == PersonsIndex.Change())
    }

    @Test("of several changes of one record in one batch the last counts")
    func lastCounts() {
        var book = PersonsBook(.phone)
        book.add("f1", "Ana", ["+1"])
        let profile = book.index.catalog.profile(of: UID("f1"))
        book.apply([(UID("f1"), nil), (UID("f1"), profile)])
        #expect(book.persons == [["f1"]])
    }

    @Test("a person is told with its card first: the smallest uid that is not made")
    func cardFirst() {
        var book = PersonsBook(.phone)
        for uid in ["a-made", "f3", "f2", "m1"] {
            let profile = Profile(
                uid: UID(uid),
                isMade: uid.contains("m"),
                name: PersonName("Ana"),
                phones: ["+1": false]
            )
            book.apply([(UID(uid), profile)])
        }
        #expect(book.persons == [["f2", "a-made", "f3", "m1"]])
        #expect(book.index.mergedCount == 3)
        #expect(book.index.count == 1)
        #expect(book.index.person(of: UID("m1"))?.first == UID("f2"))
        #expect(book.index.person(of: UID("f9")) == nil)
    }

    @Test("fifty names on a number are compared, fifty-one are a switchboard", arguments: [49, 50, 51])
    func comparedNames(count: Int) {
        // Each name contains the one before: mutually compatible, so by comparing it is no switchboard.
        var book = PersonsBook(.phone)
        book.writesFindings = false
        var name = "Ana"
        var changes: [(UID, Profile?)] = []
        for n in 0..<count {
            let uid = UID("f\(n)")
            changes.append((uid, Profile(uid: uid, name: PersonName(name), phones: ["+1": false])))
            name += " n\(n)x"
        }
        book.apply(changes)
        #expect(book.index.findings() == (count > Catalog.comparedNames ? ["+1"] : []))
        #expect(book.index.persons == book.plain)
        #expect(book.index.count == 1)
    }

    @Test(
        "a person has at most so many records, whether a number or people join them; what one more would join stays apart",
        arguments: [Catalog.recordsOfPerson - 1, Catalog.recordsOfPerson, Catalog.recordsOfPerson + 1]
    )
    func recordsOfPerson(count: Int) {
        let uids = (0..<count).map { "f" + String(1000 + $0) }
        let sizes = count > Catalog.recordsOfPerson ? [1, Catalog.recordsOfPerson] : [count]
        for isSaid in [false, true] {
            var book = PersonsBook(.phone)
            book.apply(
                uids.map { uid in
                    (
                        UID(uid),
                        Profile(uid: UID(uid), name: PersonName("Ana"), phones: isSaid ? [:] : ["+1": false])
                    )
                }
            )
            if isSaid {
                for (one, other) in zip(uids, uids.dropFirst()) { book.join([one, other], merge: true) }
            }
            #expect(book.index.persons.map(\.count).sorted() == sizes)
            #expect(book.index.persons == book.plain)
            #expect(book.told == Set(book.plain))
            // One that goes makes room.
            book.delete(uids[count / 2])
            #expect(book.index.persons == book.plain)
        }
    }

    @Test("on a number of many names the fast way still says what the plain way says")
    func manyNames() {
        for seed in 0..<1 {
            var random = SeededGenerator(seed: UInt64(seed))
            var book = PersonsBook(.phone)
            var changes: [(UID, Profile?)] = []
            let words = ["ana", "bob", "holm", "iken", "yates", "zoe", "a", "b", "h"]
            for n in 0..<110 {
                let name = (0..<random.below(4)).map { _ in words[random.below(words.count)] }
                let profile = Profile(
                    uid: UID("f\(n)"),
                    name: PersonName(name.joined(separator: " ")),
                    phones: random.chance(0.2)
                        ? ["+1": false, "+\(2 + random.below(4))": false] : ["+1": false]
                )
                changes.append((profile.uid, profile))
            }
            book.apply(changes)
            #expect(Set(changes.map { $0.1?.name }).count > Catalog.comparedNames)
            #expect(book.index.persons == book.plain, "seed \(seed)")
        }
    }

    @Test("thousands of records of one name, and of many names, on one number are no quadratic work")
    func thousands() {
        for isOneName in [true, false] {
            var book = PersonsBook(.phone)
            let changes: [(UID, Profile?)] = (0..<5000).map { n in
                let name = isOneName ? "Ana Holm" : "Ana Holm\(n)"
                let uid = UID("f\(n)")
                return (
                    uid, Profile(uid: uid, name: PersonName(name), phones: ["+1": false, "+1\(n)": false])
                )
            }
            var took = ContinuousClock().measure { book.apply(changes) }
            #expect(book.index.count == (isOneName ? 5000 / Catalog.recordsOfPerson : 5000))
            took += ContinuousClock().measure { book.delete("f77") }
            #expect(book.index.count == (isOneName ? 5000 / Catalog.recordsOfPerson : 4999))
            // Quadratic work would take minutes in a debug build.
            #expect(took < .seconds(20))
        }
    }
}
