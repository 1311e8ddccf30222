package import JSON

/// The uid of a card that came without one: the same card leads to the same uid on every machine.
package enum MadeUID {
    /// The fixed first half of the UUID: "contac" in ASCII, the version 8 (RFC 9562, 5.8), and a constant.
    private static let prefix = "urn:uuid:636f6e74-6163-8743-"

    /// Makes a uid from the content: the RFC 8785 form of the card without `@type`, `uid`, `version` and `updated`.
    package static func make(_ card: JSONObject, hash: HashFunction) -> String {
        var content = card
        for key in CardKey.header + [CardKey.updated] { content[key] = nil }
        let bits = hash.hash(.object(content)).high
        // The variant of RFC 9562: the first two bits are 10.
        let half = (bits & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000).hex
        return prefix + half.prefix(4) + "-" + half.dropFirst(4)
    }

    /// Makes the uid of a card that was told apart from another one under the uid it writes.
    ///
    /// It is not one that content alone leads to: the same card elsewhere, without uid, is another.
    package static func apart(_ card: JSONObject, hash: HashFunction) -> String {
        var content = card
        content["contactsync:apart"] = true
        return make(content, hash: hash)
    }

    /// Whether a uid is a made one.
    package static func isMade(_ uid: String) -> Bool {
        let rest = uid.utf8.dropFirst(prefix.utf8.count)
        return uid.utf8.starts(with: prefix.utf8) && rest.count == 17
            && rest.enumerated().allSatisfy { n, byte in
                n == 4
                    ? byte == UInt8(ascii: "-")
                    : n == 0
                        ? "89ab".utf8.contains(byte)
                        : "0123456789abcdef".utf8.contains(byte)
            }
    }
}
