import Wire

/// Makes text from contacts and peers harmless on a terminal.
enum Escaping {
    /// Shows what would steer the terminal (control characters) or turn text around (bidirectional controls,
    /// Unicode UAX #9) as `\u{…}`. Line ends stay only in our own sentences.
    static func escaped(_ text: String, keepingLines: Bool = false) -> String {
        guard text.unicodeScalars.contains(where: \.steersText) else { return text }
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if !scalar.steersText || (keepingLines && scalar == "\n") {
                out.append(scalar)
            } else {
                out.append(
                    contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars
                )
            }
        }
        return String(out)
    }
}
