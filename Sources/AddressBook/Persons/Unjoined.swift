package import Replication

/// Persons that share a number and are not one, as `contactsync duplicates` lists them.
package struct Unjoined: Hashable, Sendable {
    /// The number they share.
    package let key: String
    /// The persons, two or more, sorted.
    package let persons: [[UID]]
    /// Why they are not one.
    package let reason: Reason

    /// Why two persons that share a number are not one.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        /// Three or more mutually incompatible names carry it, or once did.
        case switchboard
        /// Two incompatible names, each with a number of its own besides.
        case household
        /// Incompatible names, and the policy is careful.
        case names
        /// Different kinds, or groups.
        case kind
        /// The number is marked as no one's own, by a card or by people.
        case marked
        /// People told them apart.
        case toldApart = "told apart"
        /// The policy joins nothing.
        case policy
        /// A name fits two that are set apart, and so goes with neither.
        case fitsTwo = "fits two"
        /// One person would hold records that are told apart or set against each other.
        case wouldJoinOthers = "would join others"
    }

    /// The greatest count of persons on a number that are compared each with each; of more, each is compared with
    /// the first only.
    static let comparedPersons = 50
}

extension PersonsIndex {
    /// Whatever shares a number and is not one person, with the reason; a number comes once for each reason.
    package func candidatesNotJoined() -> [Unjoined] {
        var evidence = Evidence(catalog, policy)
        var all: [Unjoined] = []
        for key in catalog.allKeys {
            guard let id = catalog.keyID(key), catalog.slots(on: id).count > 1 else { continue }
            let cards = cards(on: id)
            guard cards.count > 1 else { continue }
            var persons: [Unjoined.Reason: Set<UInt32>] = [:]
            let firsts = cards.count > Unjoined.comparedPersons ? cards.prefix(1) : cards[...]
            for (at, card) in firsts.enumerated() {
                for other in cards[(at + 1)...] {
                    persons[reason(id, card, other, &evidence), default: []].formUnion([card, other])
                }
            }
            for reason in Unjoined.Reason.allCases {
                guard let cards = persons[reason] else { continue }
                let sorted = cards.sorted { catalog.precedes($0, $1) }
                all.append(Unjoined(key: key, persons: sorted.map { person($0) }, reason: reason))
            }
        }
        return all
    }

    private func reason(
        _ key: UInt32,
        _ a: UInt32,
        _ b: UInt32,
        _ evidence: inout Evidence
    ) -> Unjoined.Reason {
        if members(a).contains(where: { catalog.apart($0).contains { card($0) == b } }) { return .toldApart }
        func named(_ person: UInt32) -> Set<NameOnNumber> {
            let slots = members(person).filter { catalog.phones($0).contains(key) }
            return Set(
                slots.map { NameOnNumber(key: key, name: catalog.name($0), kind: catalog.kind($0)) }
            )
        }
        let (ofA, ofB) = (named(a), named(b))
        let number = evidence.number(key)
        var reasons: Set<Unjoined.Reason> = []
        for x in ofA {
            for y in ofB {
                if x.kind != y.kind || x.kind == catalog.groupKind {
                    reasons.insert(.kind)
                } else if number.fits(number.place(x.name), number.place(y.name)) {
                    return policy == .suggest ? .policy : .wouldJoinOthers
                } else if evidence.areCompatible(x.name, y.name) {
                    reasons.insert(.fitsTwo)
                } else if policy == .careful {
                    reasons.insert(.names)
                } else if number.isMarked || catalog.mark(key) == .yes {
                    reasons.insert(.marked)
                } else {
                    reasons.insert(number.isNobodys ? .switchboard : .household)
                }
            }
        }
        // Several pairs of records may differ: the strongest is told.
        let order: [Unjoined.Reason] = [.marked, .switchboard, .household, .names, .fitsTwo, .kind]
        return order.first { reasons.contains($0) } ?? .wouldJoinOthers
    }
}
