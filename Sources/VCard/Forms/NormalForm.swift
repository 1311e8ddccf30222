/// When two lines say the same: order of parameters and types, empty list items, trailing empty components, needless
/// escapes, and the Id of a property are nothing.
enum NormalForm {
    /// What a line of the neutral form says, as keys to compare; of a list one an item.
    static func keys(_ line: ContentLine) -> [String] {
        var head = line.name + "\u{1}" + (line.group?.lowercased() ?? "")
        for parameter in line.parameters.sorted(by: { $0.name < $1.name }) where parameter.name != "prop-id" {
            let values = parameter.name == "type" ? parameter.values.sorted() : parameter.values
            head += "\u{1}\(parameter.name)=\(values.joined(separator: ","))"
        }
        head += "\u{1}\u{1}"
        switch PropertyKind.of(line.name) {
        case .text where line.name == "KIND" || line.name == "GRAMGENDER":
            return [head + line.value.lowercased()]
        case .text, .other: return [head + TextValue.unescaped(line.value)]
        case .uri where line["value"] != nil: return [head + TextValue.unescaped(line.value)]
        case .uri, .date: return [head + line.value]
        case .list:
            let items = TextValue.split(line.value, ",").map { TextValue.unescaped($0) }.filter {
                !$0.isEmpty
            }
            return (line.name == "CATEGORIES" ? Array(Set(items)) : items).map { head + $0 }
        case .structured where line.name == "ORG":
            var parts = TextValue.split(line.value, ";").map { TextValue.unescaped($0) }
            while parts.last?.isEmpty == true { parts.removeLast() }
            return [head + parts.joined(separator: "\u{2}")]
        case .structured:
            var parts = TextValue.components(line.value)
            while parts.last?.isEmpty == true { parts.removeLast() }
            // What the new components say again in the old places.
            if line.name == "ADR", parts.count > 7 { (parts[1], parts[2]) = ([], []) }
            return [head + parts.map { $0.joined(separator: "\u{3}") }.joined(separator: "\u{2}")]
        }
    }

    /// The lines of one card that another does not say, each as often as it is missing.
    static func missing(_ lines: [ContentLine], in others: [ContentLine]) -> [ContentLine] {
        var left: [String: Int] = [:]
        for key in others.flatMap(keys) { left[key, default: 0] += 1 }
        return lines.filter { line in
            let keys = keys(line)
            guard keys.allSatisfy({ left[$0, default: 0] > 0 }) else { return true }
            for key in keys { left[key, default: 0] -= 1 }
            return false
        }
    }
}
