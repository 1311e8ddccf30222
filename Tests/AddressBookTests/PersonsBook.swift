import AddressBook
import Contacts
import JSON
import Replication
import TestSupport

/// A small book for tests of persons: what a machine knows, changed a step at a time and judged both ways.
struct PersonsBook {
    private(set) var index: PersonsIndex
    /// What the changes said so far: the persons they leave.
    private(set) var told: Set<[UID]> = []
    /// Whether a finding is written at once, as the list controller does.
    var writesFindings = true

    init(_ policy: Policy) { index = PersonsIndex(catalog: Catalog(), policy: policy) }

    var persons: [[String]] { index.persons.map { $0.map(\.text) } }
    var plain: [[UID]] { Judgement.persons(index.catalog, policy: index.policy) }

    /// Takes changes in; a finding is marked as the book's list would mark it.
    @discardableResult
    mutating func apply(_ changes: [(UID, Profile?)], shared: [(String, SharedMark?)] = [])
        -> PersonsIndex.Change
    {
        let change = index.apply(changes, shared: shared)
        told.subtract(change.removed)
        told.formUnion(change.added)
        if writesFindings, !change.findings.isEmpty {
            apply([], shared: change.findings.map { ($0, .found) })
        }
        return change
    }

    /// Adds a contact; a number that ends with `!` is marked as no one's own.
    mutating func add(_ uid: String, _ name: String, _ numbers: [String], kind: String = Profile.individual) {
        var phones: [String: Bool] = [:]
        for number in numbers {
            let isMarked = number.hasSuffix("!")
            phones[isMarked ? String(number.dropLast()) : number] = isMarked
        }
        let profile = Profile(
            uid: UID(uid),
            isMade: uid.hasPrefix("m"),
            name: PersonName(name),
            kind: kind,
            phones: phones
        )
        apply([(profile.uid, profile)])
    }

    mutating func delete(_ uid: String) { apply([(UID(uid), nil)]) }

    /// Changes one record.
    mutating func change(_ uid: String, _ body: (inout Profile) -> Void) {
        guard var profile = index.catalog.profile(of: UID(uid)) else { return }
        body(&profile)
        apply([(profile.uid, profile)])
    }

    /// Notes between every two records that they are one (an edit), or that they are whatever was said (a merge).
    mutating func join(_ uids: [String], merge: Bool) {
        for (n, first) in uids.enumerated() {
            for second in uids[..<n] {
                let (low, high) = UID(first) < UID(second) ? (first, second) : (second, first)
                change(high) { profile in
                    if merge { profile.apart.removeAll { $0 == UID(low) } }
                    if !profile.same.contains(UID(low)), !profile.apart.contains(UID(low)) {
                        profile.same = (profile.same + [UID(low)]).sorted()
                    }
                }
            }
        }
    }

    /// Notes that two records are two.
    mutating func tellApart(_ first: String, _ second: String) {
        let (low, high) = UID(first) < UID(second) ? (first, second) : (second, first)
        change(high) { profile in
            profile.same.removeAll { $0 == UID(low) }
            if !profile.apart.contains(UID(low)) { profile.apart = (profile.apart + [UID(low)]).sorted() }
        }
    }
}

/// One contact of a random book.
struct RandomContact {
    let uid: String
    let name: String
    let numbers: [String]
    let kind: String

    static let names = ["Ana", "Ana Holm", "Ana Iken", "Bob Yates", "B Yates", "Zoe", ""]

    init(_ number: Int, _ random: inout SeededGenerator, numbersInAll: Int) {
        let letter = ["f", "f", "m"][random.below(3)]
        let digits = String(random.below(100))
        uid = letter + (digits.utf8.count == 1 ? "0" : "") + digits + String(number)
        name = Self.names[random.below(Self.names.count)]
        var numbers: [String: String] = [:]
        for _ in 0..<[0, 1, 1, 2, 2, 3][random.below(6)] {
            let key = "+\(random.below(numbersInAll))"
            numbers[key] = key + (random.chance(0.06) ? "!" : "")
        }
        self.numbers = numbers.values.sorted()
        kind = random.chance(0.06) ? "org" : random.chance(0.04) ? Profile.group : Profile.individual
    }
}
