package import AddressBook
package import JSON
package import Replication

/// What the store says when it cannot: the operation and the reason, for the log and the status.
package struct StoreFailure: Error, Hashable, Sendable {
    package let reason: String
    package init(reason: String) { self.reason = reason }
}

/// The port to the durable state. Reads see what is committed; a batch is committed whole or not at all.
package protocol Store: AnyObject {
    /// A record, nil if there is none.
    func record(_ book: BookID, _ uid: UID, uidHash: ContentHash) throws(StoreFailure) -> RecordRow?
    /// The records after a place in the feed, in the order of their last change; those that came from `device`
    /// without their body.
    func records(
        _ book: BookID,
        after seq: UInt64,
        limit: Int,
        maxBytes: Int,
        withoutBodiesFrom device: String
    ) throws(StoreFailure) -> [RecordRow]
    /// Hands over all records' small parts, one at a time, for the start. The closure may ask for other things.
    func eachProfile(_ book: BookID, _ body: (ProfileRow) -> Void) throws(StoreFailure)
    /// Hands over what is known of all files, one at a time.
    func eachFile(_ book: BookID, _ body: (FileRow) -> Void) throws(StoreFailure)
    /// The versions that files showed under a uid, newest first.
    func bases(_ book: BookID, _ uid: UID) throws(StoreFailure) -> [BaseRow]
    func history(_ book: BookID, _ uid: UID, limit: Int) throws(StoreFailure) -> [HistoryRow]
    func checkpoint(_ book: BookID, peer: String) throws(StoreFailure) -> Checkpoint?
    func blobs(_ book: BookID, kind: String) throws(StoreFailure) -> [(key: String, value: [UInt8])]
    /// The sequence number of the last change.
    func head(_ book: BookID) throws(StoreFailure) -> UInt64
    /// Whether a place in our feed is one that we gave out.
    func knows(_ book: BookID, _ checkpoint: Checkpoint) throws(StoreFailure) -> Bool
    /// The mark of a place in our feed.
    func mark(_ book: BookID, of seq: UInt64) throws(StoreFailure) -> UInt64
    /// Commits a batch away from the loop; `done` comes back on it. One at a time.
    func commit(_ batch: Batch, done: @escaping (StoreFailure?) -> Void)
}
