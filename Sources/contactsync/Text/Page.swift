/// Text for people, built line by line; everything put in is escaped.
struct Page {
    /// Whether looks are shown.
    var isColoured = false
    /// How this program was called, as the beginning of commands that are shown: they reach the same daemon.
    var program = "contactsync"
    /// The book that was asked about, if it was one.
    var book = ""
    /// What was built; ends with a line end unless empty.
    private(set) var text = ""

    /// A line.
    mutating func line(_ line: String = "") {
        text += Escaping.escaped(line) + "\n"
    }

    /// A line in pieces.
    mutating func line(pieces: [Piece]) {
        text += pieces.map(shown).joined() + "\n"
    }

    /// Rows below a heading, aligned; nothing at all if there are no rows.
    mutating func table(_ columns: [Column], _ rows: [[String]]) {
        table(columns, pieces: rows.map { $0.map { Piece(text: $0) } })
    }

    /// The same with looks.
    mutating func table(_ columns: [Column], pieces rows: [[Piece]]) {
        guard !rows.isEmpty else { return }
        let rows = rows.map { row in
            precondition(row.count == columns.count, "a row has a cell a column")
            return zip(columns, row).map { column, cell in
                Piece(
                    text: DisplayWidth.cut(Escaping.escaped(cell.text), to: column.limit ?? .max),
                    look: cell.look
                )
            }
        }
        let widths = columns.indices.map { at in
            max(DisplayWidth.of(columns[at].title), rows.map { DisplayWidth.of($0[at].text) }.max() ?? 0)
        }
        for cells in [columns.map { Piece.faint($0.title) }] + rows {
            let last = cells.lastIndex { !$0.text.isEmpty } ?? 0
            var line = ""
            for (at, cell) in cells.enumerated() where at <= last {
                let blanks = String(repeating: " ", count: widths[at] - DisplayWidth.of(cell.text))
                line += columns[at].isNumber ? blanks + shown(cell) : shown(cell)
                // Nothing at the end of a line.
                if at < last { line += (columns[at].isNumber ? "" : blanks) + "  " }
            }
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

    private func shown(_ piece: Piece) -> String {
        let text = Escaping.escaped(piece.text)
        return isColoured ? piece.look.around(text) : text
    }
}
