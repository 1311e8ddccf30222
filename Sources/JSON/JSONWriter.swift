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
    package private(set) var bytes: [UInt8] = []

    /// - Parameter capacity: how many bytes are expected.
    package init(_ layout: Layout = .compact, capacity: Int = 256) {
        self.layout = layout
        bytes.reserveCapacity(capacity)
    }

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
        text.withUTF8Buffer { unsafe append($0) }
    }

    /// Appends a number.
    package mutating func write(_ number: UInt64) {
        var digits = 1
        var rest = number / 10
        while rest > 0 {
            digits += 1
            rest /= 10
        }
        bytes.append(addingCapacity: digits) { room in
            room.append(repeating: 0, count: digits)
            var rest = number
            for at in room.indices.reversed() {
                room[at] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
        }
    }

    /// Appends a number as a text of 16 hexadecimal digits.
    package mutating func write(hex number: UInt64) {
        raw("\"")
        digits(number)
        raw("\"")
    }

    /// Appends a hash as a text of 32 hexadecimal digits.
    package mutating func write(_ hash: ContentHash) {
        raw("\"")
        digits(hash.high)
        digits(hash.low)
        raw("\"")
    }

    private mutating func digits(_ number: UInt64) {
        bytes.append(addingCapacity: 16) { room in
            for at in 0..<16 {
                let digit = UInt8(truncatingIfNeeded: number >> UInt64(60 - 4 * at)) & 15
                room.append(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
            }
        }
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
            bytes.append(UInt8(ascii: "["))
            for (n, element) in elements.enumerated() {
                if n > 0 { bytes.append(UInt8(ascii: ",")) }
                newLine(depth + 1)
                write(element, depth: depth + 1)
            }
            if !elements.isEmpty { newLine(depth) }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            bytes.append(UInt8(ascii: "{"))
            let members = layout == .canonical ? Self.sorted(object.members) : object.members
            for (n, member) in members.enumerated() {
                if n > 0 { bytes.append(UInt8(ascii: ",")) }
                newLine(depth + 1)
                write(member.key)
                bytes.append(UInt8(ascii: ":"))
                if layout == .indented { bytes.append(UInt8(ascii: " ")) }
                write(member.value, depth: depth + 1)
            }
            if !members.isEmpty { newLine(depth) }
            bytes.append(UInt8(ascii: "}"))
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
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }

    private mutating func append(_ piece: UnsafeBufferPointer<UInt8>) {
        bytes.append(addingCapacity: piece.count) { room in unsafe room.append(piece) }
    }

    private mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { unsafe append($0) }
    }

    /// Appends a text in quotes.
    package mutating func write(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            // Most texts need no escape, and are taken whole.
            if unsafe utf8.needsNoEscape {
                bytes.append(addingCapacity: utf8.count + 2) { room in
                    room.append(UInt8(ascii: "\""))
                    unsafe room.append(utf8)
                    room.append(UInt8(ascii: "\""))
                }
            } else {
                raw("\"")
                for byte in unsafe Array(utf8) { escape(byte) }
                raw("\"")
            }
        }
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
        case 0x08: raw("\\b")
        case 0x09: raw("\\t")
        case 0x0A: raw("\\n")
        case 0x0C: raw("\\f")
        case 0x0D: raw("\\r")
        case 0..<0x20:
            let hex = Array("0123456789abcdef".utf8)
            raw("\\u00")
            bytes += [hex[Int(byte >> 4)], hex[Int(byte & 15)]]
        default: bytes.append(byte)
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

extension OutputSpan<UInt8> {
    fileprivate mutating func append(_ piece: UnsafeBufferPointer<UInt8>) {
        precondition(piece.count <= freeCapacity, "there is room for what is appended")
        guard let start = piece.baseAddress else { return }
        unsafe withUnsafeMutableBufferPointer { room, count in
            unsafe room.baseAddress?.advanced(by: count).update(from: start, count: piece.count)
            count += piece.count
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether a string in quotes may hold these bytes as they are; eight are looked at together where there are so many.
    fileprivate var needsNoEscape: Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var at = 0
        while at + 8 <= count {
            let word = unsafe UnsafeRawBufferPointer(self).loadUnaligned(fromByteOffset: at, as: UInt64.self)
            // The high bit of each byte that is below what is taken away from it, if its own is not set; what borrows
            // may spoil a byte above only where the one below is found.
            let quotes = word ^ ones &* UInt64(UInt8(ascii: "\""))
            let slashes = word ^ ones &* UInt64(UInt8(ascii: "\\"))
            let found =
                (word &- ones &* 0x20) & ~word | (quotes &- ones) & ~quotes | (slashes &- ones) & ~slashes
            if found & (ones &* 0x80) != 0 { return false }
            at += 8
        }
        while at < count {
            let byte = unsafe self[at]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return false }
            at += 1
        }
        return true
    }
}
