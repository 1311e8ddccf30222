extension ContentLine {
    /// The longest physical line, in bytes without its end (RFC 6350, 3.2).
    private static let foldAt = 75

    /// Appends the line, folded between characters, with its end.
    func write(to out: inout [UInt8]) {
        var head = group.map { $0 + "." } ?? ""
        head += name == "X-ABLABEL" ? "X-ABLabel" : name
        for parameter in parameters {
            head += ";" + parameter.name.uppercased() + "="
            head += parameter.values.map(Self.quoted).joined(separator: ",")
        }
        head += ":"
        // A raw value of others may hold line ends; nothing may break out of its line.
        let isOneLine = !value.utf8.contains { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        let text = isOneLine ? value : value.split(whereSeparator: \.isNewline).joined(separator: "\\n")
        var rest = (Array(head.utf8) + Array(text.utf8))[...]
        var room = Self.foldAt
        while rest.count > room {
            var end = rest.startIndex + room
            while rest[end] & 0xC0 == 0x80 { end -= 1 }
            out += rest[..<end] + [UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: " ")]
            rest = rest[end...]
            room = Self.foldAt - 1
        }
        out += rest + [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    }

    /// A parameter's value in quotes where it needs them, with RFC 6868's escapes.
    private static func quoted(_ value: String) -> String {
        var text = ""
        for character in value {
            switch character {
            case "^": text += "^^"
            case "\"": text += "^'"
            case _ where character.isNewline: text += "^n"
            default: text.append(character)
            }
        }
        return text.utf8.contains { ",;:".utf8.contains($0) } ? "\"\(text)\"" : text
    }
}
