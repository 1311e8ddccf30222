package import JSON
package import Replication

/// The small part of a record, all that a start reads.
package struct ProfileRow: Sendable, Hashable {
    package var uid: UID
    package var uidHash: ContentHash
    package var seq: UInt64
    package var digest: ContentHash
    package var profile: [UInt8]
    package var origin: String?
    /// Whether one of these is not what was written. (The body is looked at by `Store.record` and `Store.scrub`.)
    package var isDamaged: Bool
}
