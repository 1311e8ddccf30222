import Contacts
import JSON
package import Replication

/// The form in which the store keeps a profile: a version, flags, then counts and texts, each with its length.
///
/// Lengths are unsigned integers of seven bits a byte, the lowest first, the high bit set on all but the last.
extension Profile {
    private static let codingVersion: UInt8 = 1
    private static let madeFlag: UInt8 = 1
    private static let kindFlag: UInt8 = 2

    /// The profile without its uid, as bytes; equal profiles give equal bytes.
    package func encode() -> [UInt8] {
        var out: [UInt8] = [Self.codingVersion]
        let hasKind = kind != Self.individual
        out.append((isMade ? Self.madeFlag : 0) | (hasKind ? Self.kindFlag : 0))
        Self.append(name.folded, to: &out)
        if hasKind { Self.append(kind, to: &out) }
        Self.append(phones.count, to: &out)
        for key in phones.keys.sorted(by: { ExactString($0) < ExactString($1) }) {
            Self.append(key, to: &out)
            out.append(phones[key] == true ? 1 : 0)
        }
        for list in [same, apart] {
            Self.append(list.count, to: &out)
            for uid in list { Self.append(uid.text, to: &out) }
        }
        return out
    }

    /// Reads what `encode` wrote; nil if the bytes are damaged or of another version, and must be made anew.
    package static func decode(uid: UID, _ bytes: [UInt8]) -> Profile? {
        var reader = Reader(bytes: bytes)
        guard reader.byte() == codingVersion, let flags = reader.byte(), flags <= madeFlag | kindFlag,
            let name = reader.text()
        else { return nil }
        var profile = Profile(uid: uid, isMade: flags & madeFlag != 0, name: PersonName(name))
        if flags & kindFlag != 0 {
            guard let kind = reader.text() else { return nil }
            profile.kind = kind
        }
        guard let phoneCount = reader.count() else { return nil }
        for _ in 0..<phoneCount {
            guard let key = reader.text(), let marked = reader.byte() else { return nil }
            profile.phones[key] = marked != 0
        }
        guard let same = reader.uids(), let apart = reader.uids(), reader.isAtEnd else { return nil }
        profile.same = same
        profile.apart = apart
        return profile
    }

    private static func append(_ number: Int, to out: inout [UInt8]) {
        var rest = UInt(number)
        while rest >= 0x80 {
            out.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        out.append(UInt8(rest))
    }

    private static func append(_ text: String, to out: inout [UInt8]) {
        append(text.utf8.count, to: &out)
        out.append(contentsOf: text.utf8)
    }

    /// Takes the parts from the front, nil where the bytes end too early.
    private struct Reader {
        let bytes: [UInt8]
        var at = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

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

        mutating func text() -> String? {
            guard let count = count(), let text = String(validating: bytes[at..<at + count], as: UTF8.self)
            else { return nil }
            at += count
            return text
        }

        mutating func uids() -> [UID]? {
            guard let count = count() else { return nil }
            var list: [UID] = []
            for _ in 0..<count {
                guard let text = text() else { return nil }
                list.append(UID(text))
            }
            return list
        }
    }
}
