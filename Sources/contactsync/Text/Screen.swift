import Glibc

/// Lines on a terminal that are drawn over in place.
struct Screen {
    let descriptor: CInt
    /// How many lines stand there.
    private var height = 0

    init(_ descriptor: CInt) { self.descriptor = descriptor }

    /// Draws text in the place of what this screen drew before; the cursor stands below it.
    mutating func draw(_ text: String) {
        let size = Terminal.size(of: descriptor)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        // What has left the terminal at its top cannot be drawn over.
        var room = size.rows - 2
        let fitting = lines.prefix { line in
            room -= Self.rows(of: line, columns: size.columns)
            return room >= 0
        }
        if fitting.count < lines.count {
            lines = fitting + ["… and \(lines.count - fitting.count) more lines; make the window higher"]
        }
        let up = height > 0 ? "\r\u{1B}[\(height)A" : ""
        let drawn = lines.map { $0 + "\u{1B}[K\n" }.joined()
        Output.write(up + drawn + "\u{1B}[J", to: descriptor)
        height = lines.reduce(0) { $0 + Self.rows(of: $1, columns: size.columns) }
    }

    /// How many rows of a terminal a line takes, the looks in it not counted.
    static func rows(of line: String, columns: Int) -> Int {
        let parts = line.split(separator: "\u{1B}", omittingEmptySubsequences: false)
        let width = parts.enumerated().reduce(0) { sum, part in
            let look = part.offset > 0 ? part.element.prefix { $0 != "m" }.count + 1 : 0
            return sum + DisplayWidth.of(String(part.element.dropFirst(look)))
        }
        return max(1, (width + columns - 1) / columns)
    }
}
