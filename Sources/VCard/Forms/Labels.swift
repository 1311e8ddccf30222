/// Apple's labels: `item1.X-ABLabel:` names every line of its group (RFC 9555, 2.3.21).
///
/// In the neutral form the label is a parameter of the line, `x-ablabel`; a group that serves nothing else is left out.
enum Labels {
    static let property = "X-ABLABEL"
    static let parameter = "x-ablabel"

    /// Puts labels at the lines that they label.
    static func gathered(_ lines: [ContentLine]) -> [ContentLine] {
        let labels = lines.filter { $0.name == property && $0.parameters.isEmpty && $0.group != nil }
        guard !labels.isEmpty else { return lines }
        let byGroup = Dictionary(grouping: labels) { $0.group?.lowercased() ?? "" }.filter {
            $0.value.count == 1
        }
        let members = Dictionary(grouping: lines.filter { $0.name != property && $0.group != nil }) {
            $0.group?.lowercased() ?? ""
        }
        return lines.compactMap { line in
            guard let group = line.group?.lowercased(), let label = byGroup[group]?.first,
                let count = members[group]?.count
            else { return line }
            if line.name == property { return nil }
            var line = line
            line[parameter] = [TextValue.unescaped(label.value)]
            if count == 1, isCounted(group) { line.group = nil }
            return line
        }
    }

    /// Puts labels into lines of their own.
    static func scattered(_ lines: [ContentLine]) -> [ContentLine] {
        var taken = Set(lines.compactMap { $0.group?.lowercased() })
        // A label names its whole group; where others of the group have another one, or none, it needs its own.
        let labels = Dictionary(grouping: lines.filter { $0.group != nil }) { $0.group?.lowercased() ?? "" }
            .mapValues { Set($0.map { $0.first(parameter) }) }
        var written: Set<String> = []
        var count = 0
        func fresh() -> String {
            repeat { count += 1 } while taken.contains("item\(count)")
            taken.insert("item\(count)")
            return "item\(count)"
        }
        return lines.flatMap { line -> [ContentLine] in
            var line = line
            guard let label = line.remove(parameter)?.first else { return [line] }
            if let group = line.group, labels[group.lowercased()]?.count != 1 { line.group = nil }
            let group = line.group ?? fresh()
            line.group = group
            guard written.insert(group.lowercased()).inserted else { return [line] }
            var own = ContentLine(property, TextValue.escaped(label))
            own.group = group
            return [line, own]
        }
    }

    /// Whether a group has only a number for a name.
    private static func isCounted(_ group: String) -> Bool {
        group.hasPrefix("item") && group.utf8.count > 4 && group.dropFirst(4).allSatisfy(\.isNumber)
    }
}
