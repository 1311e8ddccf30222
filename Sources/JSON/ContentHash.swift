/// The first 128 bits of the SHA-256 of some bytes; ordered as the bytes are.
package struct ContentHash: Hashable, Comparable, Sendable {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    package static func < (a: ContentHash, b: ContentHash) -> Bool { (a.high, a.low) < (b.high, b.low) }

    /// 32 lower-case hexadecimal digits.
    package var hex: String { high.hex + low.hex }

    /// Reads what `hex` wrote; nil for anything else.
    package init?(hex: String) {
        guard hex.utf8.count == 32, let high = UInt64(hex.prefix(16), radix: 16),
            let low = UInt64(hex.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }
}

/// SHA-256, handed to the pure rooms, which own no cryptography.
package struct HashFunction: Sendable {
    /// The 32 bytes of the SHA-256 of the argument.
    package let sha256: @Sendable ([UInt8]) -> [UInt8]

    package init(sha256: @escaping @Sendable ([UInt8]) -> [UInt8]) {
        self.sha256 = sha256
    }

    /// The truncated hash of some bytes.
    package func hash(_ bytes: [UInt8]) -> ContentHash {
        let digest = sha256(bytes)
        precondition(digest.count == 32, "SHA-256 has 32 bytes")
        return ContentHash(
            high: digest[0..<8].reduce(0) { $0 << 8 | UInt64($1) },
            low: digest[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
        )
    }

    /// The hash of the canonical form of a value.
    package func hash(_ value: JSONValue) -> ContentHash { hash(JSONWriter.bytes(value, .canonical)) }
}

extension UInt64 {
    /// 16 lower-case hexadecimal digits.
    package var hex: String {
        let text = String(self, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}
