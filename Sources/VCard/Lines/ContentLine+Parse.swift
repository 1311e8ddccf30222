extension ContentLine {
    /// Reads an unfolded line.
    ///
    /// - Throws: `VCardError` for a line without name or colon, or whose character set cannot be read.
    init(_ logical: LogicalLine) throws(VCardError) {
        let bytes = logical.bytes
        guard let colon = Self.colon(bytes) else {
            throw VCardError(line: logical.line, reason: "there is no colon in this line")
        }
        guard let head = String(validating: bytes[..<colon], as: UTF8.self) else {
            throw VCardError(line: logical.line, reason: "the line is not UTF-8")
        }
        let parts = Self.split(head, at: UInt8(ascii: ";"))
        let names = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        let name = names.last.map { $0.filter { !$0.isWhitespace } } ?? ""
        guard !name.isEmpty, name.utf8.allSatisfy({ $0.isNameByte }) else {
            throw VCardError(line: logical.line, reason: "there is no property name before the colon")
        }
        self.init(name.uppercased(), "")
        line = logical.line
        if names.count > 1 { group = names.dropLast().joined(separator: ".") }
        for part in parts.dropFirst() where !part.isEmpty { addParameter(part) }

        var value = Array(bytes[(colon + 1)...])
        if self["encoding"]?.contains(where: { $0.uppercased() == "QUOTED-PRINTABLE" }) ?? false {
            value = QuotedPrintable.decoded(value)
            self["encoding"] = nil
        }
        let charset = remove("charset")?.first
        guard let text = Charset.decoded(value, charset) else {
            let named = charset.map { "the character set \($0) cannot be read here" }
            throw VCardError(
                line: logical.line,
                reason: named ?? "the line is not UTF-8 and names no character set"
            )
        }
        // What quoted-printable had as a line end is one in the value too.
        self.value = text.contains(where: \.isNewline) ? Self.withoutLineEnds(text) : text
    }

    private static func withoutLineEnds(_ text: String) -> String {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).joined(separator: "\\n")
    }

    /// The first colon outside quotes, or the first of all where quotes are left open.
    private static func colon(_ bytes: [UInt8]) -> Int? {
        var isQuoted = false
        for (at, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte == UInt8(ascii: ":"), !isQuoted { return at }
        }
        return bytes.firstIndex(of: UInt8(ascii: ":"))
    }

    /// The parts between marks outside quotes.
    private static func split(_ text: some StringProtocol, at mark: UInt8) -> [String] {
        var parts: [[UInt8]] = [[]]
        var isQuoted = false
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte == mark, !isQuoted { parts.append([]) } else { parts[parts.count - 1].append(byte) }
        }
        return parts.map { String(decoding: $0, as: UTF8.self) }
    }

    private mutating func addParameter(_ part: String) {
        guard let equals = part.firstIndex(of: "=") else {
            // vCard 2.1 leaves the name out.
            switch part.uppercased() {
            case "QUOTED-PRINTABLE", "BASE64", "8BIT", "7BIT": add("encoding", [part])
            case "INLINE", "URL", "CONTENT-ID", "CID": add("value", [part])
            default: add("type", part.split(separator: ",").map { String($0).trimmed })
            }
            return
        }
        let name = part[..<equals].lowercased().trimmed
        var values = Self.split(part[part.index(after: equals)...], at: UInt8(ascii: ",")).map(Self.unquoted)
        // RFC 6350 has an example with the whole list in quotes.
        if name == "type" {
            values = values.flatMap { $0.split(separator: ",").map { String($0).trimmed } }
        }
        add(name, values)
    }

    /// Without quotes, and with what RFC 6868 put in their place.
    private static func unquoted(_ text: String) -> String {
        var text = text
        if text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") {
            text = String(text.dropFirst().dropLast())
        }
        guard text.contains("^") else { return text }
        var out = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            switch (character, rest.first) {
            case ("^", "n"): out += "\n"
            case ("^", "^"): out += "^"
            case ("^", "'"): out += "\""
            default:
                out.append(character)
                continue
            }
            rest.removeFirst()
        }
        return out
    }
}

extension UInt8 {
    /// Letters, digits and `-` (RFC 6350, 3.3), and `_`, which is seen in names of others.
    fileprivate var isNameByte: Bool {
        0x30...0x39 ~= self || 0x41...0x5A ~= self || 0x61...0x7A ~= self || self == 0x2D || self == 0x5F
    }
}

extension String {
    /// Whether it can stand in a line as it is.
    var isOneLine: Bool { utf8.allSatisfy { $0 >= 0x20 } }

    /// Without blanks at both ends.
    var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
