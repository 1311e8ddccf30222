import Contacts

/// The evidence in one state of a catalog, worked out number by number when it is asked for.
struct Evidence {
    let catalog: Catalog
    let policy: Policy
    private var numbers: [UInt32: NumberEvidence] = [:]
    private var spellings: [UInt32: PersonName] = [:]
    private var compatible: [UInt64: Bool] = [:]

    init(_ catalog: Catalog, _ policy: Policy) {
        self.catalog = catalog
        self.policy = policy
    }

    /// What a number says.
    mutating func number(_ key: UInt32) -> NumberEvidence {
        if let known = numbers[key] { return known }
        let number = NumberEvidence(key, catalog, policy) { spelled($0) }
        numbers[key] = number
        return number
    }

    /// Whether two names can be one person's.
    mutating func areCompatible(_ a: UInt32, _ b: UInt32) -> Bool {
        if a == b || catalog.isNameless(a) || catalog.isNameless(b) { return true }
        let pair = UInt64(min(a, b)) << 32 | UInt64(max(a, b))
        if let known = compatible[pair] { return known }
        let answer = spelled(a).isCompatible(with: spelled(b))
        compatible[pair] = answer
        return answer
    }

    /// Whether records of two incompatible names, of one kind, go together on a number that both carry.
    mutating func fits(_ key: UInt32, _ a: UInt32, _ b: UInt32) -> Bool {
        let number = number(key)
        return number.fits(number.place(a), number.place(b))
    }

    /// Whether the record can be joined for a number it carries, by this policy.
    func takesPart(_ slot: UInt32) -> Bool {
        policy != .suggest && catalog.kind(slot) != catalog.groupKind
    }

    /// All records that candidates and people's pairs connect with some, these among them.
    mutating func connected(with seeds: some Sequence<UInt32>) -> Set<UInt32> {
        var near: Set<UInt32> = []
        var open: [UInt32] = []
        var groups: Set<NameOnNumber> = []
        for slot in seeds where near.insert(slot).inserted { open.append(slot) }
        while let slot = open.popLast() {
            for other in catalog.same(slot) where near.insert(other).inserted { open.append(other) }
            guard takesPart(slot) else { continue }
            let (name, kind) = (catalog.name(slot), catalog.kind(slot))
            for key in catalog.phones(slot) where catalog.slots(on: key).count > 1 {
                guard groups.insert(NameOnNumber(key: key, name: name, kind: kind)).inserted else { continue }
                let number = number(key)
                for fitting in number.fitting(number.place(name)) {
                    for other in number.records[fitting]
                    where catalog.kind(other) == kind && near.insert(other).inserted {
                        open.append(other)
                    }
                }
            }
        }
        return near
    }

    private mutating func spelled(_ name: UInt32) -> PersonName {
        if let known = spellings[name] { return known }
        let spelling = PersonName(catalog.nameText(name))
        spellings[name] = spelling
        return spelling
    }
}

/// Records on one number that have equal names and equal kinds: what holds for one of them holds for each.
struct NameOnNumber: Hashable {
    let key: UInt32
    let name: UInt32
    let kind: UInt32
}
