import Contacts

/// What one number says about the names that carry it (DESIGN.md 4, evidence): which of them go together there.
///
/// Names are judged, not pairs of records: the records on the number are grouped by equal name.
struct NumberEvidence {
    /// The distinct names on the number, in the order of their numbers in the catalog.
    let names: [UInt32]
    /// The records with each name.
    let records: [[UInt32]]
    /// Whether its names make it a switchboard, whatever was said.
    let isSwitchboard: Bool
    /// Whether it is no one's own.
    let isNobodys: Bool
    /// Whether one of the records marks it as a main number, fax or pager.
    let isMarked: Bool

    /// How the names stand to each other, few or many.
    private enum Relations {
        /// One name, which goes with itself.
        case single
        case few(FewNames)
        case many(ManyNames)
    }
    private let relations: Relations
    private let nameless: Int?

    init(_ key: UInt32, _ catalog: Catalog, _ policy: Policy, _ spelled: (UInt32) -> PersonName) {
        var recordsOf: [UInt32: [UInt32]] = [:]
        var isMarked = false
        for slot in catalog.slots(on: key) {
            recordsOf[catalog.name(slot), default: []].append(slot)
            if catalog.marks(slot, key) { isMarked = true }
        }
        let names = recordsOf.keys.sorted()
        let mark = catalog.mark(key)
        self.names = names
        self.isMarked = isMarked
        records = names.map { recordsOf[$0] ?? [] }
        nameless = names.firstIndex { catalog.isNameless($0) }
        guard names.count > 1 else {
            isSwitchboard = false
            isNobodys = isMarked || mark == .yes || mark == .found
            relations = .single
            return
        }
        let named = names.count - (nameless == nil ? 0 : 1)
        guard named <= Catalog.comparedNames else {
            isSwitchboard = true
            isNobodys = true
            relations = .many(ManyNames(names.map(spelled), nameless: nameless))
            return
        }
        var few = FewNames(names.map(spelled), nameless: nameless)
        isSwitchboard = few.hasThreeApart
        isNobodys = isMarked || (mark.map { $0 != .no } ?? isSwitchboard)
        if policy == .careful || isNobodys {
            few.setAllIncompatibleApart()
        } else if few.hasIncompatible {
            few.setHouseholdsApart(Self.carriers(key, records, catalog))
        }
        relations = .few(few)
    }

    /// The place of a name among `names`, which must hold it.
    func place(_ name: UInt32) -> Int {
        if names.count <= 4, let at = names.firstIndex(of: name) { return at }
        var (low, high) = (0, names.count)
        while low < high {
            let middle = (low + high) / 2
            if names[middle] < name { low = middle + 1 } else { high = middle }
        }
        precondition(low < names.count && names[low] == name, "a record on a number lends it its name")
        return low
    }

    /// Whether records of equal kind with these two names go together on the number.
    func fits(_ a: Int, _ b: Int) -> Bool {
        if a == b, a != nameless { return true }
        return switch relations {
        case .single: true
        case .few(let few): few.fits(a, b)
        case .many(let many): many.fits(a, b)
        }
    }

    /// The names that go with a name on the number, itself among them if it goes with its equals.
    func fitting(_ a: Int) -> [Int] {
        let all: [Int] =
            switch relations {
            case .single: [a]
            case .few(let few): few.fitting(a)
            case .many(let many): many.fitting(a)
            }
        return a == nameless || all.contains(a) ? all : all + [a]
    }

    /// Whether a name fits two that are set apart on the number, and so goes with neither.
    func isBetween(_ a: Int) -> Bool {
        switch relations {
        case .single: false
        case .few(let few): few.isBetween(a)
        case .many(let many): many.isBetween(a)
        }
    }

    /// For each other number of the records here: which names' records carry it; each such set once.
    private static func carriers(_ key: UInt32, _ records: [[UInt32]], _ catalog: Catalog) -> Set<UInt64> {
        var namesOf: [UInt32: UInt64] = [:]
        for (place, slots) in records.enumerated() {
            for slot in slots {
                for other in catalog.phones(slot) where other != key {
                    namesOf[other, default: 0] |= 1 << UInt64(place)
                }
            }
        }
        return Set(namesOf.values)
    }
}
