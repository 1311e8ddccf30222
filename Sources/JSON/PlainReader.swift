/// The second reader: slower, but it says what is wrong and where, and goes on after what costs an item only.
///
/// A name given twice and half a surrogate pair are kept in `flawOfItem`; everything else throws. The text is UTF-8
/// (`UTF8Check`). Recursion is bounded by `maxDepth`.
struct PlainReader {
    let bytes: [UInt8]
    /// The next byte to read.
    private(set) var at: Int
    /// The first flaw since it was last set to nil that costs no more than the item.
    var flawOfItem: JSONFlaw?

    private let maxDepth: Int
    private var depth = 0
    /// How many values and names may still come.
    private var valuesLeft: Int
    private let maxValues: Int

    init(_ bytes: [UInt8], from offset: Int = 0, maxDepth: Int, maxValues: Int = .max) {
        self.bytes = bytes
        self.at = offset
        self.maxDepth = maxDepth
        self.maxValues = maxValues
        valuesLeft = maxValues
    }

    /// The next byte, nil at the end.
    var next: UInt8? { at < bytes.count ? bytes[at] : nil }

    /// Reads a text that holds exactly one value.
    mutating func onlyValue() throws(JSONFlaw) -> JSONValue {
        let value = try value()
        try end()
        return value
    }

    /// Only white space may be left.
    mutating func end() throws(JSONFlaw) {
        skipSpace()
        if next != nil { throw flaw("something follows the end of the JSON text" + hintOfComment) }
    }

    mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { at += 1 }
    }

    /// Takes a byte if it comes next.
    mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: byte) else { return false }
        at += 1
        return true
    }

    /// Skips white space and reads one value.
    mutating func value() throws(JSONFlaw) -> JSONValue {
        skipSpace()
        try count()
        switch next {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), (UInt8(ascii: "0")...UInt8(ascii: "9"))?: return .number(try number())
        case (UInt8(ascii: "a")...UInt8(ascii: "z"))?: return try word()
        case nil: throw flaw("the text ends where a value is expected")
        default: throw flaw("a value is expected, not \(description(of: at))" + hintOfComment)
        }
    }

    private mutating func count() throws(JSONFlaw) {
        guard valuesLeft > 0 else { throw flaw("there are more than \(maxValues) values and names") }
        valuesLeft -= 1
    }

    /// Opens an array or object; `leave` closes it.
    mutating func enter() throws(JSONFlaw) {
        guard depth < maxDepth else { throw flaw("nesting is deeper than \(maxDepth) levels") }
        depth += 1
        at += 1
    }

    mutating func leave() { depth -= 1 }

    /// After an element or member: true if another follows, false if the list has ended.
    mutating func another(until close: Unicode.Scalar) throws(JSONFlaw) -> Bool {
        skipSpace()
        if take(close) { return false }
        guard take(",") else {
            guard next != nil else { throw flaw("the text ends before the closing \(close)") }
            throw flaw("a comma or \(close) is expected, not \(description(of: at))" + hintOfComment)
        }
        skipSpace()
        if next == UInt8(ascii: close) { throw flaw("a comma must not stand before the closing \(close)") }
        return true
    }

    /// Reads a member's name and the colon behind it.
    mutating func name() throws(JSONFlaw) -> String {
        skipSpace()
        guard next == UInt8(ascii: "\"") else {
            guard next != nil else { throw flaw("the text ends before the closing }") }
            throw flaw("a name in double quotes is expected, not \(description(of: at))" + hintOfComment)
        }
        let name = try string()
        skipSpace()
        guard take(":") else {
            guard next != nil else { throw flaw("the text ends where a colon is expected") }
            throw flaw("a colon is expected, not \(description(of: at))")
        }
        return name
    }

    private mutating func object() throws(JSONFlaw) -> JSONValue {
        try enter()
        defer { leave() }
        var members: [JSONObject.Member] = []
        var seen: Set<ExactString> = []
        skipSpace()
        if take("}") { return .object(JSONObject()) }
        repeat {
            skipSpace()
            let start = at
            try count()
            let key = try name()
            let isNew = seen.insert(ExactString(key)).inserted
            if !isNew { note(at: start, "the name \"\(key)\" is given twice") }
            let value = try value()
            if isNew { members.append(JSONObject.Member(key: key, value: value)) }
        } while try another(until: "}")
        return .object(JSONObject(uniqueMembers: members))
    }

    private mutating func array() throws(JSONFlaw) -> JSONValue {
        try enter()
        defer { leave() }
        var elements: [JSONValue] = []
        skipSpace()
        if take("]") { return .array([]) }
        repeat { elements.append(try value()) } while try another(until: "]")
        return .array(elements)
    }

    private mutating func word() throws(JSONFlaw) -> JSONValue {
        let start = at
        while let byte = next, UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte { at += 1 }
        switch String(decoding: bytes[start..<at], as: UTF8.self) {
        case "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        default: throw flaw(at: start, "a value is expected, not \(description(of: start))")
        }
    }

    /// RFC 8259, section 6.
    private mutating func number() throws(JSONFlaw) -> String {
        let start = at
        _ = take("-")
        if take("0") {
            if isDigit { throw flaw(at: start, "a number must not begin with 0") }
        } else {
            try digits(of: start)
        }
        if take(".") { try digits(of: start) }
        if take("e") || take("E") {
            _ = take("+") || take("-")
            try digits(of: start)
        }
        return String(decoding: bytes[start..<at], as: UTF8.self)
    }

    private var isDigit: Bool { next.map { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ?? false }

    private mutating func digits(of start: Int) throws(JSONFlaw) {
        guard isDigit else { throw flaw(at: start, "a digit is missing in a number") }
        while isDigit { at += 1 }
    }

    /// Where the scalar that begins at a byte of a correct text ends.
    static func endOfScalar(at start: Int, in bytes: [UInt8]) -> Int {
        var reader = PlainReader(bytes, from: start, maxDepth: 1)
        _ = try? reader.value()
        return reader.at
    }
}

// MARK: - Strings

extension PlainReader {
    /// Reads a string in quotes.
    private mutating func string() throws(JSONFlaw) -> String {
        let start = at
        at += 1
        var out: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                at += 1
                return String(decoding: out, as: UTF8.self)
            case UInt8(ascii: "\\"):
                try escape(into: &out)
            case 0..<0x20:
                throw flaw(
                    byte == 0x0A || byte == 0x0D
                        ? "the line ends inside a string"
                        : "the control character 0x\(UTF8Check.hex(byte)) in a string must be escaped"
                )
            default:
                out.append(byte)
                at += 1
            }
        }
        throw flaw(at: start, "the text ends inside this string")
    }

    private mutating func escape(into out: inout [UInt8]) throws(JSONFlaw) {
        let start = at
        at += 1
        let escaped = next
        at += 1
        switch escaped {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): out.append(bytes[at - 1])
        case UInt8(ascii: "b"): out.append(0x08)
        case UInt8(ascii: "f"): out.append(0x0C)
        case UInt8(ascii: "n"): out.append(0x0A)
        case UInt8(ascii: "r"): out.append(0x0D)
        case UInt8(ascii: "t"): out.append(0x09)
        case UInt8(ascii: "u"): out += String(try escapedScalar(from: start)).utf8
        default: throw flaw(at: start, "a backslash in a string must begin a JSON escape")
        }
    }

    private mutating func escapedScalar(from start: Int) throws(JSONFlaw) -> Unicode.Scalar {
        let unit = try codeUnit(from: start)
        if let scalar = Unicode.Scalar(UInt32(unit)) { return scalar }
        let behind = at
        if UTF16.isLeadSurrogate(unit), take("\\"), take("u") {
            let second = try codeUnit(from: behind)
            if UTF16.isTrailSurrogate(second) {
                return UTF16.decode(UTF16.EncodedScalar([unit, second]))
            }
        }
        // The second escape, if any, stands by itself.
        at = behind
        note(at: start, "half a surrogate pair stands for no character")
        return "\u{FFFD}"
    }

    private mutating func codeUnit(from start: Int) throws(JSONFlaw) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw flaw(at: start, "\\u needs four hexadecimal digits")
            }
            unit = unit << 4 | UInt16(digit)
            at += 1
        }
        return unit
    }
}

// MARK: - Telling

extension PlainReader {
    private func flaw(_ reason: String) -> JSONFlaw { flaw(at: at, reason) }

    private func flaw(at offset: Int, _ reason: String) -> JSONFlaw {
        JSONFlaw(at: offset, in: bytes, reason)
    }

    /// Keeps the first flaw that costs the item.
    private mutating func note(at offset: Int, _ reason: String) {
        if flawOfItem == nil { flawOfItem = flaw(at: offset, reason) }
    }

    private var hintOfComment: String {
        guard at + 1 < bytes.count, bytes[at] == UInt8(ascii: "/") else { return "" }
        return bytes[at + 1] == UInt8(ascii: "/") || bytes[at + 1] == UInt8(ascii: "*")
            ? " (JSON has no comments)" : ""
    }

    /// The character at a byte, or the word that begins there.
    private func description(of offset: Int) -> String {
        let isLetter = { (byte: UInt8) in UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }
        let word = bytes[offset...].prefix(20).prefix(while: isLetter)
        if !word.isEmpty { return String(decoding: word, as: UTF8.self) }
        let character = String(decoding: bytes[offset...].prefix(4), as: UTF8.self).unicodeScalars.first
        return character.map { $0.isASCII && $0.value >= 0x20 ? String($0) : $0.debugDescription }
            ?? "the end"
    }
}
