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
    /// Adds what a book has collected to the batch that is about to go.
    package var collectors: [(inout Batch) -> Void] = []
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
    package func flush() {
        guard !isCommitting, failure == nil else { return }
        for collect in collectors { collect(&batch) }
        let bodies = waiting
        guard !batch.isEmpty else {
            waiting = []
            for body in bodies { body() }
            return
        }
        let going = batch
        batch = Batch()
        waiting = []
        isCommitting = true
        commit(going, bodies)
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
            flush()
            onCommit()
        }
    }
}
