import AddressBook
import JSON
import Replication

/// A checksum of 64 bits over the small columns of a record, or its body, against a disk that changes bits, not against people.
///
/// SHA-256 over every row would take longer than reading them at a start.
struct Seal {
    private(set) var value: UInt64 = 0x243F_6A88_85A3_08D3

    init(
        book: BookID,
        uid: UID,
        uidHash: ContentHash,
        seq: UInt64,
        digest: ContentHash,
        body: ContentHash,
        profile: [UInt8],
        origin: String?
    ) {
        for word in [
            UInt64(bitPattern: book), uidHash.high, uidHash.low, seq, digest.high, digest.low, body.high,
            body.low,
        ] { mix(word) }
        mix(profile)
        mix(Array(uid.text.utf8))
        if let origin { mix(Array(origin.utf8)) } else { mix(UInt64.max) }
    }

    /// The checksum of a body, and its length.
    static func of(_ body: [UInt8]) -> ContentHash {
        var seal = Seal()
        seal.mix(body)
        return ContentHash(high: seal.value, low: UInt64(body.count))
    }

    private init() {}

    private mutating func mix(_ word: UInt64) {
        // The round of SplitMix64: each bit of the word changes about half of the sum.
        value = (value ^ word) &* 0x9E37_79B9_7F4A_7C15
        value ^= value >> 29
        value = value &* 0xBF58_476D_1CE4_E5B9
        value ^= value >> 32
    }

    private mutating func mix(_ bytes: [UInt8]) {
        // The length first, so that a byte that moves from one column to the next is seen.
        mix(UInt64(bytes.count))
        unsafe bytes.withUnsafeBytes { bytes in
            var at = 0
            while at + 8 <= bytes.count {
                mix(unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)))
                at += 8
            }
            var rest: UInt64 = 0
            while at < bytes.count {
                rest = rest << 8 | UInt64(unsafe bytes[at])
                at += 1
            }
            mix(rest)
        }
    }
}
