import QRCode

/// A QR code in a terminal: two rows of modules a line, black on white whatever the terminal's colours are.
enum QRDrawing {
    static func text(_ code: QRCode) -> String {
        let zone = QRCode.quietZone
        let size = code.rows.count + 2 * zone
        func isDark(_ row: Int, _ column: Int) -> Bool {
            let inside = zone..<(size - zone)
            return inside.contains(row) && inside.contains(column) && code.rows[row - zone][column - zone]
        }
        var text = ""
        for row in stride(from: 0, to: size, by: 2) {
            text += "\u{1B}[38;5;16;48;5;231m"
            for column in 0..<size {
                switch (isDark(row, column), isDark(row + 1, column)) {
                case (true, true): text += "█"
                case (true, false): text += "▀"
                case (false, true): text += "▄"
                case (false, false): text += " "
                }
            }
            text += "\u{1B}[0m\n"
        }
        return text
    }
}
