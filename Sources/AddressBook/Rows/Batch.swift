package import JSON
package import Replication

/// What one turn of the loop has collected: committed whole, or not at all.
///
/// Removals of a kind go before its additions, so a row may be removed and added again in one batch; rows of one kind
/// are taken in order, and the later of two under one key stays.
package struct Batch: Sendable {
    /// Added, or put in the place of the row with the same book and uid.
    package var records: [RecordRow] = []
    /// Taken out without a trace, for a row that is damaged down to its uid; a deleted contact is a record like any
    /// other. Uid and hash as they were read.
    package var removedRecords: [(book: BookID, uid: UID, uidHash: ContentHash)] = []
    /// Added, or put in the place of the row with the same name.
    package var files: [FileRow] = []
    /// Taken out with their names; their bases stay.
    package var removedFiles: [(book: BookID, name: String)] = []
    /// Added, or put in the place of the row with the same name and number.
    package var bases: [BaseRow] = []
    /// Single bases to take out.
    package var removedBases: [(book: BookID, name: String, number: Int64)] = []
    /// All bases of a book shown before a time, in milliseconds since 1970, are removed.
    package var removedBasesBefore: [(book: BookID, time: UInt64)] = []
    /// How far each peer's feed is taken in; nil forgets the peer.
    package var checkpoints: [(book: BookID, peer: String, checkpoint: Checkpoint?)] = []
    /// Appended to the journal, in this order.
    package var history: [HistoryRow] = []
    /// All history of a book before a time, in milliseconds since 1970, is removed.
    package var removedHistoryBefore: [(book: BookID, time: UInt64)] = []
    /// Values of the whole database; nil removes one.
    package var meta: [(key: String, value: [UInt8]?)] = []
    /// Keyed values of a kind (held records, trash index, clashes …); nil removes one.
    package var blobs: [(book: BookID, kind: String, key: String, value: [UInt8]?)] = []

    /// An empty batch.
    package init() {}

    /// Whether there is nothing to commit.
    package var isEmpty: Bool {
        records.isEmpty && removedRecords.isEmpty && files.isEmpty && removedFiles.isEmpty && bases.isEmpty
            && removedBases.isEmpty && removedBasesBefore.isEmpty && checkpoints.isEmpty && history.isEmpty
            && removedHistoryBefore.isEmpty && meta.isEmpty && blobs.isEmpty
    }
}
