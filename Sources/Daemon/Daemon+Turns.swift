import AddressBook
import Controllers
import EventLoop

/// Turns: what is ready is taken, stored as one batch, and only then handed on.
extension Daemon {
    /// Runs a turn when everything that is ready now has been handled.
    func wake() {
        guard !isAwake else { return }
        isAwake = true
        loop.atEndOfTurn { [weak self] in self?.turn() }
    }

    private func turn() {
        isAwake = false
        hub.resume()
        // What is not read yet is read at the next start.
        if !isStopping { for book in books { book.directory.endTurn() } }
        for book in books { book.list.settle() }
        let isMoreReady = !isStopping && (hub.hasWork || books.contains(where: \.directory.hasWork))
        committer.flush(isMoreReady: isMoreReady)
        syncs.check()
        journal.endTurn()
        noteWorks()
        continueReload()
        report()
        // Between two portions of work whatever else is ready has its turn.
        if isMoreReady {
            _ = loop.after(0) { [weak self] in self?.wake() }
        }
        search()
    }

    /// Looks for directories that are not ours: a disk that is mounted again is no event anywhere.
    private func search() {
        guard searchTimer == nil, books.contains(where: { $0.directory.standing != .ours }) else { return }
        searchTimer = loop.after(Self.searchInterval) { [weak self] in
            guard let self else { return }
            searchTimer = nil
            for book in books where book.directory.standing != .ours { book.directory.lookAtEverything() }
            wake()
        }
    }

    /// Calls back when all that is known now is durable.
    func whenCommitted(_ body: @escaping () -> Void) {
        for book in books { book.list.settle() }
        committer.afterCommit { [weak self] in
            body()
            self?.wake()
        }
        wake()
    }

    /// Takes what the watches have to say, without waiting for the loop.
    func readDirectories() { for book in books { book.folder.drain() } }
}
