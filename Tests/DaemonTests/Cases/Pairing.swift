/// The greatest set of pairs of `left` and `right` things that fit: index left → index right.
func greatestPairing(_ left: Int, _ right: Int, fits: (Int, Int) -> Bool) -> [Int: Int] {
    var taken: [Int: Int] = [:]
    func place(_ one: Int, _ tried: inout Set<Int>) -> Bool {
        for other in 0..<right where fits(one, other) && tried.insert(other).inserted {
            guard let rival = taken[other] else {
                taken[other] = one
                return true
            }
            if place(rival, &tried) {
                taken[other] = one
                return true
            }
        }
        return false
    }
    for one in 0..<left {
        var tried: Set<Int> = []
        _ = place(one, &tried)
    }
    return Dictionary(uniqueKeysWithValues: taken.map { ($1, $0) })
}

/// The smallest useful difference between the wanted contacts and the people as sets; nil if there is none.
func difference(
    wanted: [WantedContact],
    people: [Person],
    isReadable: (Person, String) throws -> Bool
) rethrows -> String? {
    let faults = try wanted.map { one in
        try people.map { person in try one.faults(in: person, among: people) { try isReadable(person, $0) } }
    }
    let pairs = greatestPairing(wanted.count, people.count) { faults[$0][$1].isEmpty }
    let missing = wanted.indices.filter { pairs[$0] == nil }
    var extra = people.indices.filter { !pairs.values.contains($0) }
    guard !missing.isEmpty || !extra.isEmpty else { return nil }
    var sentences: [String] = []
    for one in missing {
        // Someone who differs in little is the one that was meant.
        let near = extra.min { faults[one][$0].count < faults[one][$1].count }
        if let near,
            faults[one][near].count == 1 || !faults[one][near].contains(where: { $0.hasPrefix("name") })
        {
            sentences.append("\(wanted[one].brief): \(faults[one][near].joined(separator: "; "))")
            extra.removeAll { $0 == near }
        } else {
            sentences.append("missing \(wanted[one].brief)")
        }
    }
    sentences += extra.map { "too many: \(people[$0].brief)" }
    let rest = sentences.count > 4 ? "; and \(sentences.count - 4) more" : ""
    return sentences.prefix(4).joined(separator: "; ") + rest
        + " (\(people.count) contacts, want \(wanted.count))"
}
