import Contacts

/// The names on a number that carries more than `Catalog.comparedNames`: a switchboard, so what is incompatible is
/// set apart, and only names that share words need a look.
struct ManyNames {
    /// By name: the others that it is compatible with; the empty name is left out, it is compatible with all.
    private var compatible: [[Int]]
    private var between: [Bool]
    private let nameless: Int?

    init(_ names: [PersonName], nameless: Int?) {
        self.nameless = nameless
        compatible = .init(repeating: [], count: names.count)
        between = .init(repeating: false, count: names.count)
        findCompatible(names)
        for a in names.indices where a != nameless {
            compatible[a] = Array(Set(compatible[a])).sorted()
            between[a] = !areOne(compatible[a], names)
        }
        if let nameless { between[nameless] = !areOne(names.indices.filter { $0 != nameless }, names) }
    }

    func isBetween(_ a: Int) -> Bool { between[a] }

    /// Whether records with these names go together.
    func fits(_ a: Int, _ b: Int) -> Bool {
        guard !between[a], !between[b] else { return false }
        return a == b || a == nameless || b == nameless || compatible[a].contains(b)
    }

    /// The names with which one goes.
    func fitting(_ a: Int) -> [Int] {
        guard !between[a] else { return [] }
        if a == nameless { return between.indices.filter { !between[$0] } }
        let others = compatible[a].filter { !between[$0] }
        guard let nameless, !between[nameless] else { return others + [a] }
        return others + [a, nameless]
    }

    /// Whether no two of the names are incompatible, and they are not more than `Catalog.fittedNames`.
    private func areOne(_ some: [Int], _ names: [PersonName]) -> Bool {
        guard some.count <= Catalog.fittedNames else { return false }
        return some.indices.allSatisfy { at in
            some[..<at].allSatisfy { names[$0].isCompatible(with: names[some[at]]) }
        }
    }

    /// Finds pairs where one's words are contained in the other's: the smaller has a whole word that the greater
    /// has too, so it is enough to look at those with its rarest word. Only a name of initials must see all.
    private mutating func findCompatible(_ names: [PersonName]) {
        var holding: [String: [Int]] = [:]
        for (place, name) in names.enumerated() where place != nameless {
            for word in Set(name.words) where word.count > 1 { holding[word, default: []].append(place) }
        }
        for (place, name) in names.enumerated() where place != nameless {
            let lists = name.words.filter { $0.count > 1 }.map { holding[$0] ?? [] }
            let others = lists.min { $0.count < $1.count } ?? names.indices.filter { $0 != nameless }
            for other in others where other != place && names[place].isCompatible(with: names[other]) {
                compatible[place].append(other)
                compatible[other].append(place)
            }
        }
    }
}
