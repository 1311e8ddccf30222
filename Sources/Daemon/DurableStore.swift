import AddressBook
import Controllers
import EventLoop
import JSON
import Replication
import Storage

/// The store as the controllers see it: reads on the loop, commits on the pool.
final class DurableStore: Controllers.Store {
    private let store: Storage.Store
    private let loop: EventLoop
    /// The database is malformed: nothing that it says can be relied on.
    private(set) var isMalformed = false
    /// Called once, when the database turns out to be malformed.
    var onMalformed: () -> Void = {}

    /// Called after each commit with the time that it took on the pool.
    var onCommitted: (Duration) -> Void = { _ in }

    init(_ store: Storage.Store, loop: EventLoop) {
        self.store = store
        self.loop = loop
    }

    private func read<T>(_ body: () throws(StorageError) -> T) throws(StoreFailure) -> T {
        do { return try body() } catch { throw failure(error) }
    }

    private func failure(_ error: StorageError) -> StoreFailure {
        if case .malformed = error, !isMalformed {
            isMalformed = true
            onMalformed()
        }
        return StoreFailure(reason: error.description)
    }

    func record(_ book: BookID, _ uid: UID, uidHash: ContentHash) throws(StoreFailure) -> RecordRow? {
        try read { () throws(StorageError) in try store.record(book, uid, uidHash: uidHash) }
    }

    func records(
        _ book: BookID,
        after seq: UInt64,
        limit: Int,
        maxBytes: Int,
        withoutBodiesFrom device: String
    ) throws(StoreFailure) -> [RecordRow] {
        try read { () throws(StorageError) in
            try store.records(book, after: seq, limit: limit, maxBytes: maxBytes, withoutBodiesFrom: device)
        }
    }

    func eachProfile(_ book: BookID, _ body: (ProfileRow) -> Void) throws(StoreFailure) {
        try read { () throws(StorageError) in try store.eachProfile(book, body) }
    }

    func eachFile(_ book: BookID, _ body: (FileRow) -> Void) throws(StoreFailure) {
        try read { () throws(StorageError) in try store.eachFile(book, body) }
    }

    func bases(_ book: BookID, _ uid: UID) throws(StoreFailure) -> [BaseRow] {
        try read { () throws(StorageError) in try store.bases(book, uid.text) }
    }

    func history(_ book: BookID, _ uid: UID, limit: Int) throws(StoreFailure) -> [HistoryRow] {
        try read { () throws(StorageError) in try store.history(book, uid, limit: limit) }
    }

    func journal(after id: Int64, limit: Int) throws(StoreFailure) -> [JournalRow] {
        try read { () throws(StorageError) in try store.journal(after: id, limit: limit) }
    }

    func journal(before id: Int64, limit: Int) throws(StoreFailure) -> [JournalRow] {
        try read { () throws(StorageError) in try store.journal(before: id, limit: limit) }
    }

    func journalEnds() throws(StoreFailure) -> (first: Int64, last: Int64) {
        try read { () throws(StorageError) in try store.journalEnds() }
    }

    func journalStart(at time: UInt64, after id: Int64) throws(StoreFailure) -> Int64? {
        try read { () throws(StorageError) in try store.journalStart(at: time, after: id) }
    }

    func checkpoint(_ book: BookID, peer: String) throws(StoreFailure) -> Checkpoint? {
        try read { () throws(StorageError) in try store.checkpoints(book)[peer] }
    }

    func blobs(_ book: BookID, kind: String) throws(StoreFailure) -> [(key: String, value: [UInt8])] {
        try read { () throws(StorageError) in try store.blobs(book, kind) }
    }

    func head(_ book: BookID) throws(StoreFailure) -> UInt64 {
        try read { () throws(StorageError) in try store.head(book) }
    }

    func knows(_ book: BookID, _ checkpoint: Checkpoint) throws(StoreFailure) -> Bool {
        try read { () throws(StorageError) in try store.knows(book, checkpoint) }
    }

    func mark(_ book: BookID, of seq: UInt64) throws(StoreFailure) -> UInt64 {
        try read { () throws(StorageError) in try store.mark(book, of: seq) }
    }

    func book(named name: String) throws(StoreFailure) -> BookID {
        try read { () throws(StorageError) in try store.book(named: name) }
    }

    func scrub(_ book: BookID, from place: Int64, limit: Int) throws(StoreFailure) -> ScrubPiece {
        try read { () throws(StorageError) in try store.scrub(book, from: place, limit: limit) }
    }

    func commit(_ batch: Batch, done: @escaping (StoreFailure?) -> Void) {
        let writer = store.writer
        let clock = ContinuousClock()
        loop.work({
            let start = clock.now
            return (result: writer.commit(batch), duration: clock.now - start)
        }) { [weak self] (result, duration) in
            self?.onCommitted(duration)
            switch result {
            case .success: done(nil)
            case .failure(let error): done(self?.failure(error) ?? StoreFailure(reason: error.description))
            }
        }
    }

    func replicaChanged(_ replica: ReplicaID) { store.recordStart(replica: replica.bits) }
}
