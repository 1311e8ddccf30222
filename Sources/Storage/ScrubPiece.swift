package import JSON
package import Replication

/// What one piece of a scrub found.
package struct ScrubPiece: Sendable {
    /// The records that are not what was written; as they are read, so where the uid itself is damaged it is no
    /// uid that anyone knows.
    package var damaged: [(uid: UID, uidHash: ContentHash)] = []
    /// Where the next piece begins; nil at the end of the book.
    package var next: Int64?
}
