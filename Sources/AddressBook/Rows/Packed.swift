import JSON
import Replication

/// Writes parts of a row one after another: what a start reads of every contact is no JSON, which takes five times as
/// long to read.
///
/// Numbers and counts are unsigned integers of seven bits a byte, the lowest first, the high bit set on all but the
/// last; texts and lists begin with their count.
struct PackedWriter {
    private(set) var bytes: [UInt8] = []

    /// Most rows are no longer.
    private static let usualCount = 160

    init() { bytes.reserveCapacity(Self.usualCount) }

    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    mutating func append(number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func append(count: Int) { append(number: UInt64(count)) }

    mutating func append(_ text: String) {
        append(count: text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    mutating func append(_ uids: [UID]) {
        append(count: uids.count)
        for uid in uids { append(uid.text) }
    }

    mutating func append(_ hash: ContentHash) {
        append(word: hash.high)
        append(word: hash.low)
    }

    /// Appends eight bytes.
    mutating func append(word: UInt64) {
        unsafe withUnsafeBytes(of: word.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }
}

/// Takes the parts from the front, nil where the bytes end too early.
struct PackedReader {
    private let bytes: [UInt8]
    private(set) var at = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { at == bytes.count }

    mutating func byte() -> UInt8? {
        guard at < bytes.count else { return nil }
        defer { at += 1 }
        return bytes[at]
    }

    mutating func number() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let byte = byte() else { return nil }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        return nil
    }

    /// A length or count; none can be greater than the number of bytes left.
    mutating func count() -> Int? {
        guard let value = number(), value <= UInt64(bytes.count - at) else { return nil }
        return Int(value)
    }

    /// Leaves so many bytes out.
    mutating func skip(_ count: Int) -> Bool {
        guard count <= bytes.count - at else { return false }
        at += count
        return true
    }

    mutating func text() -> String? {
        // By a span: `String(validating:)` of a slice is generic code that nobody made special (9 % of a restart).
        guard let count = count() else { return nil }
        let start = at
        at += count
        do { return String(copying: try UTF8Span(validating: bytes.span.extracting(start..<at))) } catch {
            return nil
        }
    }

    mutating func uids() -> [UID]? {
        guard let count = count() else { return nil }
        var list: [UID] = []
        list.reserveCapacity(count)
        for _ in 0..<count {
            guard let text = text() else { return nil }
            list.append(UID(text))
        }
        return list
    }

    mutating func hash() -> ContentHash? {
        guard let high = word(), let low = word() else { return nil }
        return ContentHash(high: high, low: low)
    }

    /// Eight bytes.
    mutating func word() -> UInt64? {
        guard bytes.count - at >= 8 else { return nil }
        defer { at += 8 }
        return unsafe bytes.withUnsafeBytes {
            UInt64(bigEndian: unsafe $0.loadUnaligned(fromByteOffset: at, as: UInt64.self))
        }
    }

    /// The rest, as JSON.
    mutating func json() -> JSONValue? {
        guard let count = count() else { return nil }
        defer { at += count }
        return try? JSONReader.value(Array(bytes[at..<at + count]))
    }
}
