import AddressBook
import Controllers
import JSON
import Replication

/// The store's port in memory, whose commits end at once.
final class ClaimStore: Store {
    private var rows: [UID: RecordRow] = [:]
    private var checkpoints: [String: Checkpoint] = [:]
    private var blobs: [String: [String: [UInt8]]] = [:]
    private var head: UInt64 = 0
    /// The mark of all commits.
    private static let mark: UInt64 = 9

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
        rows.values.filter { $0.seq > seq }.sorted { $0.seq < $1.seq }.prefix(limit).map { row in
            var row = row
            if row.origin == device { row.body = [] }
            return row
        }
    }

    func eachProfile(_ book: BookID, _ body: (ProfileRow) -> Void) throws(StoreFailure) {
        rows.values.sorted { $0.uid < $1.uid }.map {
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

    func eachFile(_ book: BookID, _ body: (FileRow) -> Void) throws(StoreFailure) {}
    func bases(_ book: BookID, _ uid: UID) throws(StoreFailure) -> [BaseRow] { [] }
    func history(_ book: BookID, _ uid: UID, limit: Int) throws(StoreFailure) -> [HistoryRow] { [] }
    func checkpoint(_ book: BookID, peer: String) throws(StoreFailure) -> Checkpoint? { checkpoints[peer] }

    func blobs(_ book: BookID, kind: String) throws(StoreFailure) -> [(key: String, value: [UInt8])] {
        (blobs[kind] ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    func head(_ book: BookID) throws(StoreFailure) -> UInt64 { head }

    func knows(_ book: BookID, _ checkpoint: Checkpoint) throws(StoreFailure) -> Bool {
        checkpoint == .start || (checkpoint.mark == Self.mark && 1...max(1, head) ~= checkpoint.seq)
    }

    func mark(_ book: BookID, of seq: UInt64) throws(StoreFailure) -> UInt64 { Self.mark }

    func commit(_ batch: Batch, done: @escaping (StoreFailure?) -> Void) {
        for row in batch.records {
            rows[row.uid] = row
            head = max(head, row.seq)
        }
        for (_, peer, checkpoint) in batch.checkpoints { checkpoints[peer] = checkpoint }
        for (_, kind, key, value) in batch.blobs { blobs[kind, default: [:]][key] = value }
        done(nil)
    }
}
