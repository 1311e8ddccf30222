/// Makes text from contacts and peers harmless on a terminal.
enum Escaping {
    /// Shows what would steer the terminal (control characters) or turn text around (bidirectional controls,
    /// Unicode UAX #9) as `\u{…}`. Line ends stay only in our own sentences.
    static func escaped(_ text: String, keepingLines: Bool = false) -> String {
        guard text.unicodeScalars.contains(where: { isHarmful($0) }) else { return text }
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if !isHarmful(scalar) || (keepingLines && scalar == "\n") {
                out.append(scalar)
            } else {
                out.append(
                    contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars
                )
            }
        }
        return String(out)
    }

    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: scalar.properties.generalCategory == .control
        }
    }
}
