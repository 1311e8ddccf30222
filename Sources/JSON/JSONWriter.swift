/// Writes values as text: compact, indented for people, or canonical (RFC 8785).
package struct JSONWriter: ~Copyable {
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
    private var out: GrowingBytes

    /// - Parameter capacity: how many bytes are expected.
    package init(_ layout: Layout = .compact, capacity: Int = 256) {
        self.layout = layout
        out = GrowingBytes(capacity: capacity)
    }

    /// What was written so far.
    package var bytes: [UInt8] { out.array }

    /// The UTF-8 text of a value, without a line end.
    package static func bytes(_ value: JSONValue, _ layout: Layout = .compact) -> [UInt8] {
        var writer = JSONWriter(layout)
        writer.write(value)
        return writer.bytes
    }

    /// The text of a value, without a line end.
    package static func text(_ value: JSONValue, _ layout: Layout = .compact) -> String {
        String(decoding: bytes(value, layout), as: UTF8.self)
    }

    // MARK: In parts, for texts that are written often and have one shape

    /// Appends a value.
    package mutating func write(_ value: JSONValue) { write(value, depth: 0) }

    /// Appends what is JSON already: punctuation, or a text that was written before.
    package mutating func raw(_ text: StaticString) {
        text.withUTF8Buffer { unsafe out.append($0) }
    }

    /// The same for a text that was written in another place; what comes out is JSON only if that is.
    package mutating func raw(_ text: [UInt8]) {
        unsafe text.withUnsafeBufferPointer { unsafe out.append($0) }
    }

    /// Appends a number.
    package mutating func write(_ number: UInt64) { out.append(decimal: number) }

    /// Appends a number as a text of 16 hexadecimal digits.
    package mutating func write(hex number: UInt64) {
        out.append(UInt8(ascii: "\""))
        out.append(hex: number)
        out.append(UInt8(ascii: "\""))
    }

    private mutating func write(_ value: JSONValue, depth: Int) {
        switch value {
        case .null: raw("null")
        case .bool(let value): value ? raw("true") : raw("false")
        case .number(let text):
            if layout == .canonical, !Self.isPlainInteger(text) {
                append(Self.ecmaScript(text))
            } else {
                append(text)
            }
        case .string(let text): write(text)
        case .array(let elements):
            out.append(UInt8(ascii: "["))
            for (n, element) in elements.enumerated() {
                if n > 0 { out.append(UInt8(ascii: ",")) }
                newLine(depth + 1)
                write(element, depth: depth + 1)
            }
            if !elements.isEmpty { newLine(depth) }
            out.append(UInt8(ascii: "]"))
        case .object(let object):
            out.append(UInt8(ascii: "{"))
            let members = layout == .canonical ? Self.sorted(object.members) : object.members
            for (n, member) in members.enumerated() {
                if n > 0 { out.append(UInt8(ascii: ",")) }
                newLine(depth + 1)
                write(member.key)
                out.append(UInt8(ascii: ":"))
                if layout == .indented { out.append(UInt8(ascii: " ")) }
                write(member.value, depth: depth + 1)
            }
            if !members.isEmpty { newLine(depth) }
            out.append(UInt8(ascii: "}"))
        }
    }

    /// Members by the UTF-16 code units of their names; most objects come in that order already.
    private static func sorted(_ members: [JSONObject.Member]) -> [JSONObject.Member] {
        for at in members.indices.dropFirst() where !precedes(members[at - 1].key, members[at].key) {
            return members.sorted { precedes($0.key, $1.key) }
        }
        return members
    }

    private static func precedes(_ a: String, _ b: String) -> Bool {
        // Of ASCII the order of UTF-8 is that of UTF-16, and it can be had at once.
        let order = unsafe a.utf8.withContiguousStorageIfAvailable { x in
            unsafe b.utf8.withContiguousStorageIfAvailable { y -> Bool? in
                for at in 0..<min(x.count, y.count) where unsafe x[at] != y[at] {
                    return unsafe x[at] < 0x80 && y[at] < 0x80 ? unsafe x[at] < y[at] : nil
                }
                return x.count < y.count
            } ?? nil
        }
        return (order ?? nil) ?? a.utf16.lexicographicallyPrecedes(b.utf16)
    }

    private mutating func newLine(_ depth: Int) {
        guard layout == .indented else { return }
        out.append(UInt8(ascii: "\n"))
        for _ in 0..<2 * depth { out.append(UInt8(ascii: " ")) }
    }

    private mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { unsafe out.append($0) }
    }

    /// Appends a text in quotes.
    package mutating func write(_ text: String) {
        var text = text
        out.append(UInt8(ascii: "\""))
        text.withUTF8 { utf8 in
            // Most texts need no escape, and are taken whole.
            if unsafe utf8.allSatisfy({ !Self.needsEscape($0) }) {
                unsafe out.append(utf8)
            } else {
                for byte in unsafe Array(utf8) { escape(byte) }
            }
        }
        out.append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            out.append(UInt8(ascii: "\\"))
            out.append(byte)
        case 0x08: raw("\\b")
        case 0x09: raw("\\t")
        case 0x0A: raw("\\n")
        case 0x0C: raw("\\f")
        case 0x0D: raw("\\r")
        case 0..<0x20:
            let hex = Array("0123456789abcdef".utf8)
            raw("\\u00")
            out.append(hex[Int(byte >> 4)])
            out.append(hex[Int(byte & 15)])
        default: out.append(byte)
        }
    }

    /// Whether a number is one that ECMAScript writes as it stands: an integer of a few digits.
    private static func isPlainInteger(_ text: String) -> Bool {
        let digits = text.utf8
        return digits.count <= 15
            && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
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
