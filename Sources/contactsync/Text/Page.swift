/// Text for people, built line by line; everything put in is escaped.
struct Page {
    /// What was built; ends with a line end unless empty.
    private(set) var text = ""

    /// A line.
    mutating func line(_ line: String = "") {
        text += Escaping.escaped(line) + "\n"
    }

    /// Rows below a heading, aligned; nothing at all if there are no rows.
    mutating func table(_ columns: [Column], _ rows: [[String]]) {
        guard !rows.isEmpty else { return }
        let rows = rows.map { row in
            precondition(row.count == columns.count, "a row has a cell a column")
            return zip(columns, row).map { column, cell in
                DisplayWidth.cut(Escaping.escaped(cell), to: column.limit ?? .max)
            }
        }
        let widths = columns.indices.map { at in
            max(DisplayWidth.of(columns[at].title), rows.map { DisplayWidth.of($0[at]) }.max() ?? 0)
        }
        for cells in [columns.map(\.title)] + rows {
            var line = ""
            for (at, cell) in cells.enumerated() {
                let blanks = String(repeating: " ", count: widths[at] - DisplayWidth.of(cell))
                line += columns[at].isNumber ? blanks + cell : cell + blanks
                line += "  "
            }
            while line.hasSuffix(" ") { line.removeLast() }
            text += line + "\n"
        }
    }

    /// Names and values one below the other; values that are empty are left out.
    mutating func fields(_ fields: [(String, String)]) {
        let width = fields.map { DisplayWidth.of($0.0) }.max() ?? 0
        for (name, value) in fields where !value.isEmpty {
            line("  " + name + String(repeating: " ", count: width - DisplayWidth.of(name) + 2) + value)
        }
    }
}
