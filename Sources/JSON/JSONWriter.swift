/// Writes values as text: compact, indented for people, or canonical (RFC 8785).
package struct JSONWriter {
    /// How the text is laid out.
    package enum Layout: Sendable {
        /// No white space.
        case compact
        /// Two spaces a level, one member a line, for files that people read.
        case indented
        /// RFC 8785: sorted by UTF-16 code units, numbers as ECMAScript writes them.
        case canonical
    }

    private let layout: Layout
    private var bytes: [UInt8] = []

    private init(_ layout: Layout) { self.layout = layout }

    /// The UTF-8 text of a value, without a line end.
    package static func bytes(_ value: JSONValue, _ layout: Layout = .compact) -> [UInt8] {
        var writer = JSONWriter(layout)
        writer.bytes.reserveCapacity(256)
        writer.write(value, depth: 0)
        return writer.bytes
    }

    /// The text of a value, without a line end.
    package static func text(_ value: JSONValue, _ layout: Layout = .compact) -> String {
        String(decoding: bytes(value, layout), as: UTF8.self)
    }

    private mutating func write(_ value: JSONValue, depth: Int) {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .number(let text): bytes += (layout == .canonical ? Self.ecmaScript(text) : text).utf8
        case .string(let text): write(text)
        case .array(let elements):
            list(UInt8(ascii: "["), UInt8(ascii: "]"), elements, depth) { $0.write($1, depth: depth + 1) }
        case .object(let object):
            let members =
                layout == .canonical
                ? object.members.sorted { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }
                : object.members
            list(UInt8(ascii: "{"), UInt8(ascii: "}"), members, depth) {
                $0.write($1.key)
                $0.bytes.append(UInt8(ascii: ":"))
                if $0.layout == .indented { $0.bytes.append(UInt8(ascii: " ")) }
                $0.write($1.value, depth: depth + 1)
            }
        }
    }

    private mutating func list<T>(
        _ open: UInt8,
        _ close: UInt8,
        _ items: [T],
        _ depth: Int,
        _ each: (inout JSONWriter, T) -> Void
    ) {
        bytes.append(open)
        for (n, item) in items.enumerated() {
            if n > 0 { bytes.append(UInt8(ascii: ",")) }
            newLine(depth + 1)
            each(&self, item)
        }
        if !items.isEmpty { newLine(depth) }
        bytes.append(close)
    }

    private mutating func newLine(_ depth: Int) {
        guard layout == .indented else { return }
        bytes.append(UInt8(ascii: "\n"))
        for _ in 0..<depth { bytes += "  ".utf8 }
    }

    private mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        // Most texts need no escape, and are taken whole.
        let needsEscape = text.utf8.contains {
            $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\")
        }
        guard needsEscape else {
            bytes += text.utf8
            bytes.append(UInt8(ascii: "\""))
            return
        }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x08: bytes += "\\b".utf8
            case 0x09: bytes += "\\t".utf8
            case 0x0A: bytes += "\\n".utf8
            case 0x0C: bytes += "\\f".utf8
            case 0x0D: bytes += "\\r".utf8
            case 0..<0x20:
                let hex = Array("0123456789abcdef".utf8)
                bytes += "\\u00".utf8
                bytes += [hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// A number as ECMAScript's `Number::toString` writes it (RFC 8785, 3.2.2.3); one beyond a double as it stands.
    private static func ecmaScript(_ text: String) -> String {
        guard let value = Double(text), value.isFinite else { return text }
        if value == 0 { return "0" }
        // Swift prints the shortest digits that read back, as ECMAScript does; only the layout differs.
        var mantissa = "\(value.magnitude)"
        var power = 0
        if let e = mantissa.firstIndex(of: "e") {
            power = Int(mantissa[mantissa.index(after: e)...]) ?? 0
            mantissa = String(mantissa[..<e])
        }
        let parts = mantissa.split(separator: ".", omittingEmptySubsequences: false)
        var digits = String(parts[0])
        if parts.count > 1 {
            digits += parts[1]
            power -= parts[1].count
        }
        while digits.hasSuffix("0") {
            digits.removeLast()
            power += 1
        }
        digits = String(digits.drop { $0 == "0" })
        let n = digits.count + power
        let sign = value < 0 ? "-" : ""
        switch n {
        case digits.count...21:
            return sign + digits + String(repeating: "0", count: n - digits.count)
        case 1..<max(2, digits.count):
            return sign + digits.prefix(n) + "." + digits.dropFirst(n)
        case -5...0:
            return sign + "0." + String(repeating: "0", count: -n) + digits
        default:
            let fraction = digits.count > 1 ? "." + digits.dropFirst() : ""
            return sign + digits.prefix(1) + fraction + "e" + (n > 0 ? "+" : "-") + String(abs(n - 1))
        }
    }
}
