package import AddressBook

/// Collects what one turn of the loop has to store and commits it as one batch, one at a time.
///
/// While a batch is on its way the next is collected. What must not happen before the commit (answers to peers,
/// swaps of files) waits in `afterCommit`.
package final class Committer {
    private let store: any Store
    private let retry: (@escaping () -> Void) -> Void
    private var batch = Batch()
    private var waiting: [() -> Void] = []
    private var isCommitting = false
    /// Whether more is about to come, as far as the last turn knew, and how many turns have waited for it.
    private var (isMoreReady, turnsWaited) = (false, 0)
    /// Turns that are committed together where each brings some of much: what a commit ends with on the loop grows with it,
    /// and its flushes are still one for some hundred files.
    private static let turnsTogether = 12
    /// Adds what a book has collected to the batch that is about to go.
    var collectors: [(inout Batch) -> RowWriting?] = []
    /// Where rows are written out that are many; nil: here.
    package var worker: (any Worker)?
    /// No more rows than these are not worth another thread.
    package var fewRows = 16
    /// Called after each commit, when those who waited for it have been told.
    package var onCommit: () -> Void = {}
    /// Why the last commit failed, nil if it did not. Nothing was lost: the batch is tried again.
    package private(set) var failure: StoreFailure?
    /// Batches committed so far.
    package private(set) var commits = 0

    /// - Parameter retry: calls back after a while, when a commit has failed.
    package init(store: any Store, retry: @escaping (@escaping () -> Void) -> Void) {
        self.store = store
        self.retry = retry
    }

    /// Whether nothing waits to be stored.
    package var isIdle: Bool { !isCommitting && batch.isEmpty && waiting.isEmpty }

    /// Adds to the batch that is being collected.
    package func stage(_ add: (inout Batch) -> Void) { add(&batch) }

    /// Runs when all that is staged now is durable.
    ///
    /// - Parameter isFirst: whether it runs before what waits already: what others wait for longest.
    package func afterCommit(isFirst: Bool = false, _ body: @escaping () -> Void) {
        waiting.insert(body, at: isFirst ? 0 : waiting.count)
    }

    /// Ends a turn: commits what was collected, unless a batch is on its way.
    ///
    /// - Parameter isMoreReady: whether the next turn comes at once and brings more: one flush serves many, and a lone change
    ///   waits for nobody.
    package func flush(isMoreReady: Bool = false) {
        self.isMoreReady = isMoreReady
        turnsWaited += 1
        commitCollected()
    }

    private func commitCollected() {
        guard !isCommitting, failure == nil, !isMoreReady || turnsWaited >= Self.turnsTogether else { return }
        turnsWaited = 0
        let rows = collectors.compactMap { $0(&batch) }
        let bodies = waiting
        waiting = []
        guard !batch.isEmpty || !rows.isEmpty else {
            for body in bodies { body() }
            // What waited for a commit may go on: a link whose peer's records changed nothing, for one.
            if !bodies.isEmpty { onCommit() }
            return
        }
        let going = batch
        batch = Batch()
        isCommitting = true
        write(rows) { [weak self] records in
            var going = going
            going.records += records
            self?.commit(going, bodies)
        }
    }

    /// Writes rows out, on another thread where there are many: a receiver's loop is a tenth less busy for it.
    private func write(_ rows: [RowWriting], then: @escaping ([RecordRow]) -> Void) {
        func noted(_ written: [[RecordRow]]) -> [RecordRow] {
            for (writing, rows) in zip(rows, written) { writing.written(rows) }
            return written.flatMap(\.self)
        }
        let works = rows.map(\.work)
        guard let worker, rows.reduce(0, { $0 + $1.count }) > fewRows else {
            return then(noted(works.map { $0() }))
        }
        worker.work({ works.map { $0() } }) { then(noted($0)) }
    }

    private func commit(_ going: Batch, _ bodies: [() -> Void]) {
        // The store keeps this until the commit ends, which after a crash it never does.
        store.commit(going) { [weak self] failure in
            guard let self else { return }
            self.failure = failure
            if failure != nil {
                retry { [weak self] in self?.commit(going, bodies) }
                return
            }
            commits += 1
            isCommitting = false
            for body in bodies { body() }
            commitCollected()
            onCommit()
        }
    }
}

/// Records of a book that are to be written out as rows of a batch: pure work, for any thread.
struct RowWriting {
    let count: Int
    let work: @Sendable () -> [RecordRow]
    /// Hears of them before they are committed.
    let written: ([RecordRow]) -> Void
}
