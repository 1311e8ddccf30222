import JSON
import Replication

/// Writes parts of a row one after another: what a start reads of every contact is no JSON, which takes five times as
/// long to read.
///
/// Counts are unsigned integers of seven bits a byte, the lowest first, the high bit set on all but the last; texts and
/// lists begin with their count.
struct PackedWriter {
    private(set) var bytes: [UInt8] = []

    /// Most rows are no longer.
    private static let usualCount = 160

    init() { bytes.reserveCapacity(Self.usualCount) }

    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    mutating func append(count: Int) {
        var rest = UInt(count)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func append(_ text: String) {
        append(count: text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    mutating func append(_ uids: [UID]) {
        append(count: uids.count)
        for uid in uids { append(uid.text) }
    }

    mutating func append(_ hash: ContentHash) {
        append(hash.high)
        append(hash.low)
    }

    private mutating func append(_ word: UInt64) {
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

    /// A length or count; none can be greater than the number of bytes left.
    mutating func count() -> Int? {
        var value: UInt = 0
        for shift in stride(from: UInt(0), to: 35, by: 7) {
            guard let byte = byte() else { return nil }
            value |= UInt(byte & 0x7F) << shift
            if byte < 0x80 { return value <= UInt(bytes.count - at) ? Int(value) : nil }
        }
        return nil
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
        guard bytes.count - at >= 16 else { return nil }
        defer { at += 16 }
        func word(_ from: Int) -> UInt64 {
            unsafe bytes.withUnsafeBytes {
                UInt64(bigEndian: unsafe $0.loadUnaligned(fromByteOffset: from, as: UInt64.self))
            }
        }
        return ContentHash(high: word(at), low: word(at + 8))
    }

    /// The rest, as JSON.
    mutating func json() -> JSONValue? {
        guard let count = count() else { return nil }
        defer { at += count }
        return try? JSONReader.value(Array(bytes[at..<at + count]))
    }
}
