package import JSON
package import Replication

/// The small part of a record, all that a start reads.
package struct ProfileRow: Sendable, Hashable {
    /// The identity of the record.
    package var uid: UID
    /// The hash of the uid's UTF-8 bytes.
    package var uidHash: ContentHash
    /// The sequence number of its last change here.
    package var seq: UInt64
    /// What the record adds to the book's digest.
    package var digest: ContentHash
    /// What the computation of persons needs of it; empty for a dead record.
    package var profile: [UInt8]
    /// The device whose state the last join equalled.
    package var origin: String?
    /// Whether one of these is not what was written. (The body is looked at by `Store.record` and `Store.scrub`.)
    package var isDamaged: Bool

    package init(
        uid: UID,
        uidHash: ContentHash,
        seq: UInt64,
        digest: ContentHash,
        profile: [UInt8],
        origin: String?,
        isDamaged: Bool
    ) {
        self.uid = uid
        self.uidHash = uidHash
        self.seq = seq
        self.digest = digest
        self.profile = profile
        self.origin = origin
        self.isDamaged = isDamaged
    }
}
