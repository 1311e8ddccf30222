import Config
import Controllers

/// Waits for the moment when all configured peers are connected and both sides hold the same.
final class Syncs {
    private struct Wait {
        var deadline: UInt64
        var done: (String?) -> Void
    }

    private unowned let daemon: Daemon
    private var waits: [Int: Wait] = [:]
    private var next = 0

    init(_ daemon: Daemon) {
        self.daemon = daemon
    }

    /// Calls back with nil when in sync, or with what is missing when the time is up.
    func wait(milliseconds: UInt64, _ done: @escaping (String?) -> Void) {
        let id = next
        next += 1
        waits[id] = Wait(deadline: daemon.scheduler.uptime + milliseconds, done: done)
        daemon.hub.dialNow()
        daemon.readDirectories()
        _ = daemon.scheduler.after(milliseconds) { [weak self] in
            guard let self, let wait = waits.removeValue(forKey: id) else { return }
            wait.done(obstacle())
        }
        daemon.wake()
    }

    /// Looks whether it is so now; called at the end of each turn.
    func check() {
        guard !waits.isEmpty, obstacle() == nil else { return }
        let done = waits.values.map(\.done)
        waits = [:]
        for body in done { body(nil) }
    }

    /// Why we are not in sync, nil if we are.
    private func obstacle() -> String? {
        let peers = daemon.hub.peers.values.sorted { $0.configuration.name < $1.configuration.name }
        if peers.isEmpty { return "there is no peer; say `contactsync pair` on two machines" }
        if let book = daemon.books.first(where: { $0.directory.state == "held" || !$0.list.held.isEmpty }) {
            return "the book \(book.name) is held; see `contactsync status`"
        }
        for peer in peers {
            let name = peer.configuration.name
            guard let link = peer.link else {
                return "\(name) is not connected\(peer.lastError.map { ": " + $0 } ?? "")"
            }
            for book in peer.configuration.books where link.feeds[book] == nil {
                return "\(name) does not share the book \(book) with us; name it in its configuration"
            }
            for (book, feed) in link.feeds where !feed.isCaughtUp {
                return "\(name) and we still exchange the book \(book)"
            }
        }
        if daemon.books.contains(where: { !$0.isIdle }) || !daemon.committer.isIdle {
            return "files are still read or written"
        }
        return nil
    }
}
