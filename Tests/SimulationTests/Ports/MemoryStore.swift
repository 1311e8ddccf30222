import AddressBook
import Controllers
import JSON
import Replication
import TestSupport

/// A database in memory: a commit takes time, and a crash on the way leaves it done or not done.
final class MemoryStore: Store {
    private(set) var state: StoreState
    /// The commit on its way, and who waits for it.
    private var going: Batch?
    var isCommitting: Bool { going != nil }
    private let scheduler: LifeScheduler
    private let fault: Fault?
    private var random: SeededGenerator
    /// The replica that commits.
    var start: () -> UInt64 = { 0 }
    /// Rows committed so far in this life.
    private(set) var recordsWritten = 0
    private(set) var commits = 0

    init(_ state: StoreState, scheduler: LifeScheduler, fault: Fault?, seed: UInt64) {
        self.state = state
        self.scheduler = scheduler
        self.fault = fault
        random = SeededGenerator(seed: seed)
    }

    func record(_ book: BookID, _ uid: UID, uidHash: ContentHash) throws(StoreFailure) -> RecordRow? {
        state.records[uid]
    }

    func records(
        _ book: BookID,
        after seq: UInt64,
        limit: Int,
        maxBytes: Int,
        withoutBodiesFrom device: String
    ) throws(StoreFailure) -> [RecordRow] {
        // A small limit, so that batches are many and a connection can end between them.
        state.records.values.filter { $0.seq > seq }.sorted { $0.seq < $1.seq }.prefix(min(limit, 3)).map {
            row in
            var row = row
            if row.origin == device { row.body = [] }
            return row
        }
    }

    func eachProfile(_ book: BookID, _ body: (ProfileRow) -> Void) throws(StoreFailure) {
        state.records.values.sorted { $0.uid < $1.uid }.map {
            ProfileRow(
                uid: $0.uid,
                uidHash: $0.uidHash,
                seq: $0.seq,
                digest: $0.digest,
                profile: fault?.profile(of: $0, state) ?? $0.profile,
                origin: $0.origin,
                isDamaged: false
            )
        }
        .forEach(body)
    }

    func eachFile(_ book: BookID, _ body: (FileRow) -> Void) throws(StoreFailure) {
        state.files.values.sorted { $0.name < $1.name }.forEach(body)
    }

    func bases(_ book: BookID, _ uid: UID) throws(StoreFailure) -> [BaseRow] {
        let rows = (state.bases[uid.text] ?? [:]).values.sorted { $0.number > $1.number }
        return fault?.bases(rows, uid, state) ?? rows
    }

    func history(_ book: BookID, _ uid: UID, limit: Int) throws(StoreFailure) -> [HistoryRow] { [] }

    func checkpoint(_ book: BookID, peer: String) throws(StoreFailure) -> Checkpoint? {
        state.checkpoints[peer]
    }

    func blobs(_ book: BookID, kind: String) throws(StoreFailure) -> [(key: String, value: [UInt8])] {
        (state.blobs[kind] ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    func head(_ book: BookID) throws(StoreFailure) -> UInt64 { state.head }

    func knows(_ book: BookID, _ checkpoint: Checkpoint) throws(StoreFailure) -> Bool {
        if checkpoint.seq == 0 { return checkpoint.mark == 0 }
        let mark = state.mark(of: checkpoint.seq)
        return mark != 0 && mark == checkpoint.mark
    }

    func mark(_ book: BookID, of seq: UInt64) throws(StoreFailure) -> UInt64 { state.mark(of: seq) }

    func commit(_ batch: Batch, done: @escaping (StoreFailure?) -> Void) {
        precondition(going == nil, "one commit goes at a time")
        let batch = fault?.batch(batch, state) ?? batch
        fault?.beforeCommit(batch, &state, start: start())
        going = batch
        let fails = random.chance(0.01)
        _ = scheduler.after(UInt64(random.below(30) + 1)) { [weak self] in
            guard let self else { return }
            going = nil
            if fails { return done(StoreFailure(reason: "the disk is full")) }
            // What is forgotten with time keeps its place in the feed, and is nothing new.
            recordsWritten += batch.records.count { $0.seq != self.state.records[$0.uid]?.seq }
            state.apply(batch, start: start())
            commits += 1
            done(nil)
        }
    }

    /// The daemon is gone: what was on its way is there or not.
    func crash() {
        guard let going else { return }
        self.going = nil
        if let fault, fault.tears(going, &state, start: start()) { return }
        if random.chance(0.5) { state.apply(going, start: start()) }
    }
}
