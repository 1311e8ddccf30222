package import JSON
package import Replication

/// A record on its way out, with the size of its text, so that messages can be packed without writing it twice.
package struct SizedRecord: Hashable, Sendable {
    /// Whose record it is.
    package let uid: UID
    /// The form of `RecordCoding`.
    package let value: JSONValue
    /// The bytes of its text.
    package let bytes: Int

    package init(uid: UID, value: JSONValue, bytes: Int) {
        self.uid = uid
        self.value = value
        self.bytes = bytes
    }

    /// Whether a frame can carry it.
    var fits: Bool { bytes <= WireLimits.recordBytes }
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
