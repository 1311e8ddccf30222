package import JSON
package import Replication

/// The number of a book in this database; it means nothing elsewhere.
package typealias BookID = Int64

/// One record as it is stored.
package struct RecordRow: Sendable, Hashable {
    /// The book the record belongs to.
    package var book: BookID
    /// The identity of the record.
    package var uid: UID
    /// The hash of the uid's UTF-8 bytes.
    package var uidHash: ContentHash
    /// The sequence number of its last change here; from 1, each given once in a book.
    package var seq: UInt64
    /// What the record adds to the book's digest.
    package var digest: ContentHash
    /// What the computation of persons needs of it; opaque here, empty for a dead record.
    package var profile: [UInt8]
    /// The whole record; opaque here.
    package var body: [UInt8]
    /// The device whose state the last join equalled; to that one it is not sent back.
    package var origin: String?
    /// Whether what was read differs from what was written: the values then count as forgotten, and neither body
    /// nor profile says anything. Ignored in writing.
    package var isDamaged = false

    /// Makes a row to be written.
    package init(
        book: BookID,
        uid: UID,
        uidHash: ContentHash,
        seq: UInt64,
        digest: ContentHash,
        profile: [UInt8],
        body: [UInt8],
        origin: String? = nil
    ) {
        self.book = book
        self.uid = uid
        self.uidHash = uidHash
        self.seq = seq
        self.digest = digest
        self.profile = profile
        self.body = body
        self.origin = origin
    }
}
