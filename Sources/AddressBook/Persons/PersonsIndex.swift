package import JSON
package import Replication

/// Which record belongs to which person, kept up to date while records change.
///
/// A change judges again all records that candidates and people's pairs, before or after it, connect with the
/// numbers of the changed records, and no others; the outcome is that of judging everything (DESIGN.md 4).
package struct PersonsIndex: Sendable {
    /// The profiles that the persons are computed from.
    package private(set) var catalog: Catalog
    /// How bold this machine is.
    package let policy: Policy

    // By slot: the first record of its person.
    private var cardOf: [UInt32] = []
    // Only of persons of several records, by the first: all of them, the first included.
    private var membersOf: [UInt32: [UInt32]] = [:]
    private var found: Set<ExactString> = []

    /// How many records there are beyond one a person.
    package private(set) var mergedCount = 0
    /// How many persons there are.
    package var count: Int { catalog.count - mergedCount }

    /// What a change did to the persons.
    package struct Change: Hashable, Sendable {
        /// The persons that are no more as they were, as they were.
        package var removed: [[UID]] = []
        /// The persons that are new, or whose records are others than before.
        package var added: [[UID]] = []
        /// The numbers that are now a switchboard by their names and have no mark: the list writes `found` there.
        package var findings: [String] = []

        /// A change of nothing.
        package init() {}

        init(removed: [[UID]], added: [[UID]], findings: [String]) {
            self.removed = removed
            self.added = added
            self.findings = findings
        }
    }

    /// Judges all records of a catalog.
    package init(catalog: Catalog, policy: Policy) {
        self.catalog = catalog
        self.policy = policy
        judgeAll()
    }

    // MARK: Asking

    /// The person of a record: the card's uid first, then the others sorted; nil if the record is not alive.
    package func person(of uid: UID) -> [UID]? { catalog.slot(of: uid).map { person($0) } }

    /// The uid of the card that a record is shown in, the first of its person; nil if it is not alive.
    package func cardUID(of uid: UID) -> UID? {
        catalog.slot(of: uid).map { catalog.uid(cardOf[Int($0)]) }
    }

    /// Whether these records, in whatever order, are one person.
    package func isPerson(_ uids: [UID]) -> Bool {
        guard let first = uids.first, let slot = catalog.slot(of: first) else { return false }
        let members = members(cardOf[Int(slot)])
        return members.count == uids.count
            && uids.dropFirst().allSatisfy { catalog.slot(of: $0).map(members.contains) ?? false }
    }

    /// The card's uids of the persons of whom no record fits, in no order that means anything.
    package func persons(withNone fits: (UID) -> Bool) -> [UID] {
        catalog.aliveSlots.filter { slot in
            guard cardOf[Int(slot)] == slot, !fits(catalog.uid(slot)) else { return false }
            return !(membersOf[slot]?.contains { fits(catalog.uid($0)) } ?? false)
        }
        .map { catalog.uid($0) }
    }

    /// All persons, sorted.
    package var persons: [[UID]] {
        catalog.aliveSlots.filter { cardOf[Int($0)] == $0 }.map { person($0) }
            .sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// The numbers that are a switchboard by their names and have no mark yet, sorted.
    package func findings() -> [String] { found.sorted().map(\.text) }

    /// The persons that share a number, as slots: by their first records, sorted.
    func cards(on key: UInt32) -> [UInt32] {
        Set(catalog.slots(on: key).map { cardOf[Int($0)] }).sorted { catalog.precedes($0, $1) }
    }

    /// The records of a person by its first one.
    func members(_ card: UInt32) -> [UInt32] { membersOf[card] ?? [card] }

    func card(_ slot: UInt32) -> UInt32 { cardOf[Int(slot)] }

    func person(_ slot: UInt32) -> [UID] { members(cardOf[Int(slot)]).map { catalog.uid($0) } }

    // MARK: Changing

    /// Takes changes of records (nil: dead or gone) and of the marks on numbers (nil: none), and judges again what
    /// they reach.
    package mutating func apply(
        _ changes: [(UID, Profile?)],
        shared: [(String, SharedMark?)] = []
    ) -> Change {
        // The last of several changes of one record is the one that counts.
        let changes = Dictionary(changes, uniquingKeysWith: { $1 })
            .filter { catalog.profile(of: $0.key) != $0.value }.map { ($0.key, $0.value) }
        let shared = Dictionary(shared.map { (ExactString($0.0), $0.1) }, uniquingKeysWith: { $1 })
            .filter { catalog.mark(of: $0.key.text) != $0.value }.map { ($0.key, $0.value) }
        if changes.isEmpty, shared.isEmpty { return Change() }

        var keys = Set(shared.map { $0.0 })
        for (uid, new) in changes {
            keys.formUnion((catalog.profile(of: uid)?.phones ?? [:]).keys.map { ExactString($0) })
            keys.formUnion((new?.phones ?? [:]).keys.map { ExactString($0) })
        }
        let near = near(changes, keys)
        let before = forgetPersons(near)
        for (uid, profile) in changes { catalog.replace(uid, with: profile) }
        for (key, mark) in shared { catalog.setShared(key.text, mark) }
        let reached = near.union(changes.compactMap { catalog.slot(of: $0.0) }).filter { catalog.isAlive($0) }
        var evidence = Evidence(catalog, policy)
        let after = notePersons(Clustering.persons(Array(reached), &evidence))
        let known = found
        for key in keys { look(at: key, &evidence) }
        return Change(
            removed: before.subtracting(after).sorted { $0.lexicographicallyPrecedes($1) },
            added: after.subtracting(before).sorted { $0.lexicographicallyPrecedes($1) },
            findings: found.subtracting(known).sorted().map(\.text)
        )
    }

    /// Notes what a record adds to the book's digest (`Catalog.setShare`); no person depends on it.
    package mutating func setShare(_ uid: UID, _ share: ContentHash?) { catalog.setShare(uid, share) }

    /// All records that a change can reach, as they are before it.
    ///
    /// Only on the numbers and pairs of the changed records does it make new candidates; both ends of those are
    /// where the search begins, so searching the state before is enough.
    private func near(_ changes: [(UID, Profile?)], _ keys: Set<ExactString>) -> Set<UInt32> {
        var seeds: [UInt32] = []
        for key in keys { if let id = catalog.keyID(key.text) { seeds += catalog.slots(on: id) } }
        for (uid, new) in changes {
            if let slot = catalog.slot(of: uid) { seeds.append(slot) }
            seeds += catalog.said(of: uid)
            for other in (new?.same ?? []) + (new?.apart ?? []) {
                if let slot = catalog.slot(of: other) { seeds.append(slot) }
            }
        }
        var evidence = Evidence(catalog, policy)
        return evidence.connected(with: seeds)
    }

    private mutating func forgetPersons(_ near: Set<UInt32>) -> Set<[UID]> {
        var persons: Set<[UID]> = []
        for slot in near where cardOf[Int(slot)] == slot {
            persons.insert(person(slot))
            if let members = membersOf.removeValue(forKey: slot) {
                precondition(near.isSuperset(of: members), "a person is reached whole or not at all")
                mergedCount -= members.count - 1
            }
        }
        return persons
    }

    private mutating func notePersons(_ clusters: [[UInt32]]) -> Set<[UID]> {
        var persons: Set<[UID]> = []
        for cluster in clusters {
            let card = note(cluster)
            persons.insert(person(card))
        }
        return persons
    }

    /// Notes a person, given as its records in sorted order.
    ///
    /// - Returns: its first record.
    @discardableResult
    private mutating func note(_ sorted: [UInt32]) -> UInt32 {
        while cardOf.count < catalog.endSlot { cardOf.append(UInt32(cardOf.count)) }
        let card = sorted.first { !catalog.isMade($0) } ?? sorted[0]
        for slot in sorted { cardOf[Int(slot)] = card }
        if sorted.count > 1 {
            membersOf[card] = [card] + sorted.filter { $0 != card }
            mergedCount += sorted.count - 1
        }
        return card
    }

    /// Notes whether a number is a switchboard that nobody marked.
    private mutating func look(at key: ExactString, _ evidence: inout Evidence) {
        let isFinding =
            catalog.keyID(key.text).map { id in
                // Fewer than three records have no three names.
                catalog.slots(on: id).count > 2 && catalog.mark(id) == nil
                    && evidence.number(id).isSwitchboard
            } ?? false
        if isFinding { found.insert(key) } else { found.remove(key) }
    }

    private mutating func judgeAll() {
        cardOf = (0..<UInt32(catalog.endSlot)).map { $0 }
        var evidence = Evidence(catalog, policy)
        var done = [Bool](repeating: false, count: catalog.endSlot)
        for slot in catalog.aliveSlots where !done[Int(slot)] && !catalog.isAlone(slot) {
            let near = evidence.connected(with: [slot])
            for other in near { done[Int(other)] = true }
            if near.count > 1 {
                for person in Clustering.persons(Array(near), &evidence) { note(person) }
            }
        }
        for key in catalog.keyIDs where catalog.slots(on: key).count > 2 {
            look(at: ExactString(catalog.key(key)), &evidence)
        }
    }
}
