/// Takes the keys of one table one by one, and at the end says which ones nobody took.
struct TableReader {
    /// How messages name the table, such as `[books.personal]`.
    let title: String
    let place: TOMLValue
    private let members: [TOMLValue.Member]
    private var known: [String]

    /// A reader of a value that must be a table; nil, and a problem, if it is something else.
    ///
    /// - Parameter keys: those that the table may have.
    init?(_ value: TOMLValue, title: String, keys: [ConfigKey] = [], _ problems: inout ProblemList) {
        guard case .table(let members) = value.content else {
            problems.add(
                value,
                "\(title) must be a table, but is \(value.kindName); begin it with a line \(title)"
            )
            return nil
        }
        (self.title, self.members) = (title, members)
        known = keys.map(\.name)
        place = value
    }

    /// The value of a key that this table may have.
    mutating func take(_ key: String) -> TOMLValue? {
        if !known.contains(key) { known.append(key) }
        return members.first { $0.key == key }?.value
    }

    /// Whether the table has a key, right or wrong.
    func has(_ key: String) -> Bool { members.contains { $0.key == key } }

    /// The text of a key; anything else is a problem.
    mutating func text(_ key: String, example: String, _ problems: inout ProblemList) -> (String, TOMLValue)?
    {
        guard let value = take(key) else { return nil }
        guard case .string(let text) = value.content else {
            problems.add(
                value,
                "\(key) must be a text, but is \(value.kindName); write it as \(key) = \"\(example)\""
            )
            return nil
        }
        return (text, value)
    }

    /// A whole number within a range; anything else is a problem.
    mutating func integer(
        _ key: String,
        unit: String,
        in range: ClosedRange<Int>,
        _ problems: inout ProblemList
    ) -> Int? {
        guard let value = take(key) else { return nil }
        guard case .integer(let number) = value.content, let exact = Int(exactly: number),
            range.contains(exact)
        else {
            problems.add(
                value,
                "\(key) must be a number of \(unit); write one from \(range.lowerBound) to \(range.upperBound)"
            )
            return nil
        }
        return exact
    }

    /// The members of a table of tables, such as `[books.…]`.
    mutating func tables(_ key: String, _ problems: inout ProblemList) -> [TOMLValue.Member] {
        guard let value = take(key) else { return [] }
        guard case .table(let members) = value.content else {
            problems.add(
                value,
                "\(key) is \(value.kindName), but must be tables with names; begin each with a line such as [\(key).personal]"
            )
            return []
        }
        return members
    }

    /// Where a key belongs that only stands in the wrong table.
    ///
    /// TOML counts whatever follows a heading to its table, so what is appended to a file easily does.
    private func home(of key: String) -> String? {
        ConfigKey.tables.first { table in table.keys.contains { $0.name == key } }.map { table in
            table.heading.isEmpty
                ? "it belongs above the first [table] of the file"
                : "it belongs into a table \(table.heading)"
        }
    }

    /// Reports the keys that nobody took, each with the nearest one that there is.
    func finish(_ problems: inout ProblemList) {
        for member in members where !known.contains(member.key) {
            let nearest = EditDistance.nearest(to: member.key, in: known).map { "did you mean \($0)?" }
            let mend = home(of: member.key) ?? nearest ?? "remove it"
            problems.add(member.value, "unknown key \(member.key) in \(title); \(mend)")
        }
    }
}
