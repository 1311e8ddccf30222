package import Replication

/// A record on its way out, with the size of its text, by which messages are packed.
package struct SizedRecord: Hashable, Sendable {
    /// Whose record it is.
    package let uid: UID
    /// The record itself, as a rule its text.
    package let form: RecordForm
    /// The bytes of its text.
    package let bytes: Int

    private let isSound: Bool

    /// - Parameter isSound: whether it keeps to `RecordLimits`; the peer takes no other.
    package init(uid: UID, form: RecordForm, bytes: Int, isSound: Bool = true) {
        self.uid = uid
        self.form = form
        self.bytes = bytes
        self.isSound = isSound
    }

    /// Whether it can be sent: a frame carries it, and the peer will take it.
    var fits: Bool {
        guard isSound, bytes <= WireLimits.recordBytes else { return false }
        // A value has two bytes at least, so only a large one can hold too many.
        return bytes <= 2 * WireLimits.recordValues || form.hasAtMost(values: WireLimits.recordValues)
    }
}

/// One row of our change feed, as read for one peer.
package struct FeedRow: Hashable, Sendable {
    /// Where the row is, and the mark of its commit.
    package let position: FeedPosition
    /// Nil if it must not go to this peer: it came from there, or is held back.
    package let record: SizedRecord?

    package init(position: FeedPosition, record: SizedRecord?) {
        self.position = position
        self.record = record
    }
}
