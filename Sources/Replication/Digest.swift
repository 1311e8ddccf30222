package import JSON

/// The sum over all records of a book, in 4,096 buckets of the uid's hash: two machines whose sums are equal hold
/// the same (DESIGN.md 7). Adding and taking away commute, so the order of changes is nothing.
package struct Digest: Sendable, Hashable {
    package static let bucketCount = 4096

    private var high: [UInt64]
    private var low: [UInt64]

    package init() {
        high = .init(repeating: 0, count: Self.bucketCount)
        low = .init(repeating: 0, count: Self.bucketCount)
    }

    /// The bucket of a uid, from the hash of the uid's bytes.
    package static func bucket(_ uidHash: ContentHash) -> Int { Int(uidHash.high >> 52) }

    /// Replaces what a record added before by what it adds now; nil where there was, or is, none.
    ///
    /// - Parameters:
    ///   - uidHash: the hash of the uid's bytes.
    ///   - old: the record's `digestHash` before.
    ///   - new: the record's `digestHash` now.
    package mutating func replace(_ uidHash: ContentHash, old: ContentHash?, new: ContentHash?) {
        let at = Self.bucket(uidHash)
        if let old { add(at, Self.mix(uidHash, old), sign: false) }
        if let new { add(at, Self.mix(uidHash, new), sign: true) }
    }

    /// The sum of one bucket.
    package subscript(bucket: Int) -> ContentHash { ContentHash(high: high[bucket], low: low[bucket]) }

    /// One sum of all buckets, each weighed by its place.
    package func total(_ hash: HashFunction) -> ContentHash {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.bucketCount * 16)
        for at in 0..<Self.bucketCount {
            for word in [high[at], low[at]] {
                for shift in stride(from: 56, through: 0, by: -8) {
                    bytes.append(UInt8(truncatingIfNeeded: word >> shift))
                }
            }
        }
        return hash.hash(bytes)
    }

    /// A record's share: uid and state bound together, so that two records cannot trade places unseen.
    private static func mix(_ uid: ContentHash, _ state: ContentHash) -> ContentHash {
        ContentHash(
            high: (uid.low &* 0x9E37_79B9_7F4A_7C15) ^ state.high,
            low: (uid.high &* 0xC2B2_AE3D_27D4_EB4F) ^ state.low
        )
    }

    /// 128-bit addition and subtraction, modulo 2^128.
    private mutating func add(_ at: Int, _ value: ContentHash, sign: Bool) {
        if sign {
            let (sum, carry) = low[at].addingReportingOverflow(value.low)
            low[at] = sum
            high[at] = high[at] &+ value.high &+ (carry ? 1 : 0)
        } else {
            let (sum, borrow) = low[at].subtractingReportingOverflow(value.low)
            low[at] = sum
            high[at] = high[at] &- value.high &- (borrow ? 1 : 0)
        }
    }
}
