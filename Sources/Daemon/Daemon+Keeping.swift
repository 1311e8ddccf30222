import AddressBook
import Config
import Controllers
import EventLoop
import Storage

/// What is done once a day.
extension Daemon {
    /// Forgets what was kept for long enough, and scrubs every book.
    func daily() {
        let now = Surroundings.wallClock()
        journal.forget(before: now)
        for book in books {
            let days = UInt64(book.configuration.keepDeleted) * 86_400_000
            let before = now > days ? now - days : 0
            book.folder.pruneTrash(
                before: Int64(before) * 1_000_000,
                limit: Int64(book.configuration.trashLimit)
            )
            let id = book.list.settings.id
            committer.stage { $0.removedHistoryBefore.append((id, before)) }
            book.list.forget(deletedBefore: before)
            scrub(book, from: 0) { [weak self] in self?.tidyMemory() }
        }
        wake()
    }

    /// Compares what is stored with what was written, some records in a turn; what differs is healed by a peer.
    private func scrub(_ book: Book, from place: Int64, then done: @escaping () -> Void = {}) {
        let piece = try? store.scrub(book.list.settings.id, from: place, limit: 500)
        for (uid, _) in piece?.damaged ?? [] { book.list.noteDamage(uid) }
        guard let next = piece?.next else { return done() }
        _ = loop.after(1) { [weak self, weak book] in
            guard let self, let book else { return }
            scrub(book, from: next, then: done)
        }
    }

    /// Scrubs a book now.
    func scrub(_ book: Book, then done: @escaping () -> Void) { scrub(book, from: 0, then: done) }
}
