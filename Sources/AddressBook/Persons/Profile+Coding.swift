import Contacts
import JSON
package import Replication

/// The form in which the store keeps a profile: a version, flags, then counts and texts (`PackedWriter`).
extension Profile {
    private static let codingVersion: UInt8 = 1
    private static let madeFlag: UInt8 = 1
    private static let kindFlag: UInt8 = 2

    /// The profile without its uid, as bytes; equal profiles give equal bytes.
    package func encode() -> [UInt8] {
        var out = PackedWriter()
        let hasKind = kind != Self.individual
        out.append(Self.codingVersion)
        out.append((isMade ? Self.madeFlag : 0) | (hasKind ? Self.kindFlag : 0))
        out.append(name.folded)
        if hasKind { out.append(kind) }
        out.append(count: phones.count)
        for key in phones.keys.sorted(by: { $0.precedesExactly($1) }) {
            out.append(key)
            out.append(phones[key] == true ? 1 : 0)
        }
        out.append(same)
        out.append(apart)
        return out.bytes
    }

    /// Reads what `encode` wrote; nil if the bytes are damaged or of another version, and must be made anew.
    package static func decode(uid: UID, _ bytes: [UInt8]) -> Profile? {
        var reader = PackedReader(bytes)
        guard reader.byte() == codingVersion, let flags = reader.byte(), flags <= madeFlag | kindFlag,
            let name = reader.text()
        else { return nil }
        var profile = Profile(uid: uid, isMade: flags & madeFlag != 0, name: PersonName(folded: name))
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
}
