import Contacts
package import Replication

/// Who is the same, the plain way: DESIGN.md 4 read from top to bottom over all pairs of records.
///
/// It is quadratic and kept as the oracle: `PersonsIndex` must say the same, always.
package struct Judgement {
    private let policy: Policy
    private let catalog: Catalog
    private var profiles: [UID: Profile] = [:]
    private var uids: [UID] = []
    private var on: [String: [UID]] = [:]
    private var same: Set<Pair> = []
    private var apart: Set<Pair> = []
    private var numbers: [String: Names] = [:]

    /// What a number says about the names on it.
    private struct Names {
        /// The names set apart there, each pair both ways.
        var apart: [PersonName: Set<PersonName>] = [:]
        /// The names that fit two that are set apart.
        var between: Set<PersonName> = []
    }

    private struct Pair: Hashable, Comparable {
        let first: UID
        let second: UID

        init(_ a: UID, _ b: UID) { (first, second) = a < b ? (a, b) : (b, a) }

        static func < (a: Pair, b: Pair) -> Bool {
            a.first != b.first ? a.first < b.first : a.second < b.second
        }
    }

    /// All persons of a catalog: each has the card's uid first (the smallest that is not made, else the smallest),
    /// then the others sorted; the list is sorted.
    package static func persons(_ catalog: Catalog, policy: Policy) -> [[UID]] {
        Judgement(catalog, policy).persons()
    }

    /// The numbers that are a switchboard by their names and have no mark yet, sorted.
    package static func findings(_ catalog: Catalog) -> [String] {
        let judgement = Judgement(catalog, .phone)
        return catalog.allKeys.filter { catalog.mark(of: $0) == nil && judgement.isSwitchboard($0) }
    }

    private init(_ catalog: Catalog, _ policy: Policy) {
        self.policy = policy
        self.catalog = catalog
        uids = catalog.allUIDs
        for uid in uids {
            guard let profile = catalog.profile(of: uid) else { continue }
            profiles[uid] = profile
            for key in profile.phones.keys { on[key, default: []].append(uid) }
        }
        for (uid, profile) in profiles {
            for other in profile.same where profiles[other] != nil { same.insert(Pair(uid, other)) }
            for other in profile.apart where profiles[other] != nil { apart.insert(Pair(uid, other)) }
        }
        for key in on.keys { numbers[key] = names(judgedOn: key) }
    }

    // MARK: Names on a number

    private func name(_ uid: UID) -> PersonName { profiles[uid]?.name ?? PersonName("") }
    private func kind(_ uid: UID) -> String { profiles[uid]?.kind ?? Profile.individual }
    private func phones(_ uid: UID) -> Set<String> { Set(profiles[uid]?.phones.keys.map { $0 } ?? []) }

    private func areCompatible(_ a: PersonName, _ b: PersonName) -> Bool {
        a.isEmpty || b.isEmpty || a.isCompatible(with: b)
    }

    private func names(on key: String) -> Set<PersonName> {
        Set((on[key] ?? []).map(name)).subtracting([PersonName("")])
    }

    private func isSwitchboard(_ key: String) -> Bool {
        let names = Array(names(on: key))
        if names.count > Catalog.comparedNames { return true }
        for (n, a) in names.enumerated() {
            for (m, b) in names[..<n].enumerated() where !areCompatible(a, b) {
                for c in names[..<m] where !areCompatible(a, c) && !areCompatible(b, c) { return true }
            }
        }
        return false
    }

    private func isNobodys(_ key: String) -> Bool {
        if (on[key] ?? []).contains(where: { profiles[$0]?.phones[key] == true }) { return true }
        if names(on: key).count > Catalog.comparedNames { return true }
        return catalog.mark(of: key).map { $0 != .no } ?? isSwitchboard(key)
    }

    private func ownNumbers(_ a: PersonName, besides key: String, not b: PersonName) -> Set<String> {
        var own: Set<String> = []
        for uid in on[key] ?? [] where areCompatible(name(uid), a) && !areCompatible(name(uid), b) {
            own.formUnion(phones(uid))
        }
        return own.subtracting([key])
    }

    private func areApart(_ key: String, _ a: PersonName, _ b: PersonName) -> Bool {
        numbers[key]?.apart[a]?.contains(b) == true
    }

    private func isBetween(_ key: String, _ a: PersonName) -> Bool {
        numbers[key]?.between.contains(a) == true
    }

    private func names(judgedOn key: String) -> Names {
        var judged = Names()
        let all = names(on: key)
        let isNobodys = isNobodys(key)
        for a in all {
            for b in all where !areCompatible(a, b) {
                let (x, y) = (ownNumbers(a, besides: key, not: b), ownNumbers(b, besides: key, not: a))
                if policy == .careful || isNobodys || !x.isSubset(of: y) && !y.isSubset(of: x) {
                    judged.apart[a, default: []].insert(b)
                }
            }
        }
        for a in all.union([PersonName("")]) {
            let fit = all.filter { areCompatible(a, $0) && $0 != a }
            let isTooMany = all.count > Catalog.comparedNames && fit.count > Catalog.fittedNames
            if isTooMany || fit.contains(where: { !(judged.apart[$0] ?? []).isDisjoint(with: fit) }) {
                judged.between.insert(a)
            }
        }
        return judged
    }

    private func fits(_ key: String, _ u: UID, _ v: UID) -> Bool {
        let (a, b) = (name(u), name(v))
        if kind(u) != kind(v) || kind(u) == Profile.group || areApart(key, a, b) { return false }
        return !a.isEmpty && a == b || !isBetween(key, a) && !isBetween(key, b)
    }

    // MARK: Records

    private func isAgainst(_ u: UID, _ v: UID) -> Bool {
        if kind(u) != kind(v) { return true }
        if areCompatible(name(u), name(v)) { return false }
        let both = phones(u).intersection(phones(v))
        return policy == .careful || !both.isEmpty && !both.contains { fits($0, u, v) }
    }

    private func candidates() -> Set<Pair> {
        var pairs: Set<Pair> = []
        if policy == .suggest { return pairs }
        for (key, uids) in on {
            for (n, u) in uids.enumerated() {
                for v in uids[..<n] where fits(key, u, v) { pairs.insert(Pair(u, v)) }
            }
        }
        return pairs
    }

    private func persons() -> [[UID]] {
        var groups = Dictionary(uniqueKeysWithValues: uids.map { ($0, Set([$0])) })
        func unite(_ pairs: some Sequence<Pair>, withEvidence: Bool) {
            for pair in pairs.sorted() {
                guard let a = groups[pair.first], let b = groups[pair.second], a != b,
                    a.count + b.count <= Catalog.recordsOfPerson
                else { continue }
                let isStopped = a.contains { x in
                    b.contains { apart.contains(Pair(x, $0)) || withEvidence && isAgainst(x, $0) }
                }
                if isStopped { continue }
                let all = a.union(b)
                for uid in all { groups[uid] = all }
            }
        }
        let candidates = candidates()
        unite(same, withEvidence: false)
        unite(
            candidates.filter { !name($0.first).isEmpty && name($0.first) == name($0.second) },
            withEvidence: false
        )
        unite(candidates, withEvidence: true)
        let persons = Set(groups.values).map { group -> [UID] in
            let sorted = group.sorted()
            let card = sorted.first { profiles[$0]?.isMade == false } ?? sorted[0]
            return [card] + sorted.filter { $0 != card }
        }
        return persons.sorted { $0.lexicographicallyPrecedes($1) }
    }
}
