import Contacts

/// The names on a number, up to `Catalog.comparedNames` and the empty one, compared each with each.
///
/// A set of names is one word of bits.
struct FewNames {
    /// By name: those it is compatible with, itself among them.
    private let compatible: [UInt64]
    /// By name: those it is set apart from.
    private var apart: [UInt64]
    /// The names that fit two that are set apart.
    private var between: UInt64 = 0

    init(_ names: [PersonName], nameless: Int?) {
        precondition(names.count <= UInt64.bitWidth, "a set of names is one word of bits")
        var compatible = [UInt64](repeating: 0, count: names.count)
        for a in names.indices {
            compatible[a] |= 1 << UInt64(a)
            for b in 0..<a where a == nameless || b == nameless || names[a].isCompatible(with: names[b]) {
                compatible[a] |= 1 << UInt64(b)
                compatible[b] |= 1 << UInt64(a)
            }
        }
        self.compatible = compatible
        apart = .init(repeating: 0, count: names.count)
    }

    /// Whether any two names cannot be one person's.
    var hasIncompatible: Bool { compatible.contains { $0 != all } }

    /// Whether three or more names are mutually incompatible.
    var hasThreeApart: Bool {
        for a in compatible.indices {
            let others = ~compatible[a] & all
            for b in Self.places(others) where b > a && others & ~compatible[b] != 0 { return true }
        }
        return false
    }

    /// Sets apart whatever is incompatible.
    mutating func setAllIncompatibleApart() {
        for a in apart.indices { apart[a] = ~compatible[a] & all }
        findBetween()
    }

    /// Sets apart incompatible names that have each a number of its own besides.
    ///
    /// - Parameter carriers: for the other numbers of the records, the names whose records carry one.
    mutating func setHouseholdsApart(_ carriers: Set<UInt64>) {
        for a in apart.indices {
            for b in 0..<a where compatible[a] & 1 << UInt64(b) == 0 {
                let (ofA, ofB) = (compatible[a] & ~compatible[b], compatible[b] & ~compatible[a])
                guard carriers.contains(where: { $0 & ofA != 0 && $0 & ofB == 0 }),
                    carriers.contains(where: { $0 & ofB != 0 && $0 & ofA == 0 })
                else { continue }
                apart[a] |= 1 << UInt64(b)
                apart[b] |= 1 << UInt64(a)
            }
        }
        findBetween()
    }

    func isBetween(_ a: Int) -> Bool { between & 1 << UInt64(a) != 0 }

    /// Whether records with these names go together; two equal names go by the one name here.
    func fits(_ a: Int, _ b: Int) -> Bool { fit(a) & 1 << UInt64(b) != 0 }

    /// The names with which one goes.
    func fitting(_ a: Int) -> [Int] { Self.places(fit(a)) }

    private var all: UInt64 { compatible.count == 64 ? .max : 1 << UInt64(compatible.count) - 1 }

    private func fit(_ a: Int) -> UInt64 { isBetween(a) ? 0 : all & ~apart[a] & ~between }

    private mutating func findBetween() {
        for a in compatible.indices {
            let fit = compatible[a]
            if Self.places(fit).contains(where: { apart[$0] & fit != 0 }) { between |= 1 << UInt64(a) }
        }
    }

    private static func places(_ set: UInt64) -> [Int] {
        var places: [Int] = []
        var rest = set
        while rest != 0 {
            places.append(rest.trailingZeroBitCount)
            rest &= rest - 1
        }
        return places
    }
}
