/// The escapes of text in values (RFC 6350, 3.4; RFC 2426, 4), and how values divide.
enum TextValue {
    private static let backslash = UInt8(ascii: "\\")

    /// Undoes escapes. An escape that is none keeps its backslash.
    static func unescaped(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(backslash) else { return String(text) }
        var out: [UInt8] = []
        var isEscaped = false
        for byte in text.utf8 {
            guard isEscaped else {
                if byte == backslash { isEscaped = true } else { out.append(byte) }
                continue
            }
            isEscaped = false
            switch byte {
            case UInt8(ascii: "n"), UInt8(ascii: "N"): out.append(UInt8(ascii: "\n"))
            // A colon needs none, and many write one.
            case backslash, UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"): out.append(byte)
            default: out += [backslash, byte]
            }
        }
        if isEscaped { out.append(backslash) }
        return String(decoding: out, as: UTF8.self)
    }

    /// The text as a value, or as a part of a structured one.
    static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { "\\,;\n\r".utf8.contains($0) }) else { return text }
        var out: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case backslash, UInt8(ascii: ","), UInt8(ascii: ";"): out += [backslash, byte]
            case UInt8(ascii: "\n"): out += [backslash, UInt8(ascii: "n")]
            case UInt8(ascii: "\r"): break
            default: out.append(byte)
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// The parts between separators that are not escaped, still escaped.
    static func split(_ text: some StringProtocol, _ separator: Character) -> [String] {
        let mark = separator.asciiValue ?? 0
        guard text.utf8.contains(mark) else { return [String(text)] }
        var parts: [[UInt8]] = [[]]
        var isEscaped = false
        for byte in text.utf8 {
            if byte == mark, !isEscaped {
                parts.append([])
            } else {
                parts[parts.count - 1].append(byte)
            }
            isEscaped = byte == backslash && !isEscaped
        }
        return parts.map { String(decoding: $0, as: UTF8.self) }
    }

    /// A structured value: the components, each a list of texts without the empty ones.
    static func components(_ text: String) -> [[String]] {
        split(text, ";").map { component in
            split(component, ",").map { unescaped($0) }.filter { !$0.isEmpty }
        }
    }

    /// A structured value of such components, at least so many.
    static func structured(_ components: [[String]], atLeast count: Int = 0) -> String {
        var components = components
        while components.count > count, components.last?.isEmpty == true { components.removeLast() }
        while components.count < count { components.append([]) }
        return components.map { $0.map(escaped).joined(separator: ",") }.joined(separator: ";")
    }
}
