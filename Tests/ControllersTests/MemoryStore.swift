import AddressBook
import Controllers
import JSON
import Replication

/// The store's port in memory: what is committed, and a commit that ends when the test says so.
final class MemoryStore: Store {
    private(set) var rows: [UID: RecordRow] = [:]
    private var files: [String: FileRow] = [:]
    private var bases: [BaseRow] = []
    private var waiting: [(batch: Batch, done: (StoreFailure?) -> Void)] = []
    /// Whether a commit ends at once.
    var commitsAtOnce = true
    private var seq: UInt64 = 0
    /// Whether a batch is on its way.
    var isCommitting: Bool { !waiting.isEmpty }

    func record(_ book: BookID, _ uid: UID, uidHash: ContentHash) throws(StoreFailure) -> RecordRow? {
        rows[uid]
    }

    func records(
        _ book: BookID,
        after seq: UInt64,
        limit: Int,
        maxBytes: Int,
        withoutBodiesFrom device: String
    ) throws(StoreFailure) -> [RecordRow] {
        Array(rows.values.filter { $0.seq > seq }.sorted { $0.seq < $1.seq }.prefix(limit))
    }

    func eachProfile(_ book: BookID, _ body: (ProfileRow) -> Void) throws(StoreFailure) {
        rows.values.map {
            ProfileRow(
                uid: $0.uid,
                uidHash: $0.uidHash,
                seq: $0.seq,
                digest: $0.digest,
                profile: $0.profile,
                origin: $0.origin,
                isDamaged: false
            )
        }
        .forEach(body)
    }

    func eachFile(_ book: BookID, _ body: (FileRow) -> Void) throws(StoreFailure) {
        files.values.sorted { $0.name < $1.name }.forEach(body)
    }
    func bases(_ book: BookID, _ uid: UID) throws(StoreFailure) -> [BaseRow] {
        bases.filter { $0.name == uid.text }.sorted { $0.number > $1.number }
    }
    func history(_ book: BookID, _ uid: UID, limit: Int) throws(StoreFailure) -> [HistoryRow] { [] }
    func checkpoint(_ book: BookID, peer: String) throws(StoreFailure) -> Checkpoint? { nil }
    func blobs(_ book: BookID, kind: String) throws(StoreFailure) -> [(key: String, value: [UInt8])] { [] }
    func head(_ book: BookID) throws(StoreFailure) -> UInt64 { seq }
    func knows(_ book: BookID, _ checkpoint: Checkpoint) throws(StoreFailure) -> Bool { checkpoint == .start }
    func mark(_ book: BookID, of seq: UInt64) throws(StoreFailure) -> UInt64 { 1 }

    func commit(_ batch: Batch, done: @escaping (StoreFailure?) -> Void) {
        waiting.append((batch, done))
        if commitsAtOnce { finishCommit() }
    }

    /// Ends the oldest commit, well or not.
    func finishCommit(failure: StoreFailure? = nil) {
        guard !waiting.isEmpty else { return }
        let (batch, done) = waiting.removeFirst()
        if failure == nil {
            for row in batch.records {
                rows[row.uid] = row
                seq = max(seq, row.seq)
            }
            for row in batch.files { files[row.name] = row }
            bases += batch.bases
        }
        done(failure)
    }
}
