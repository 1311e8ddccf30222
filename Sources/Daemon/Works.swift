import Config
import Controllers
import EventLoop
import JSON

/// The work that takes long enough for people to wait for it.
struct Works {
    /// What is done.
    enum Kind: String {
        /// Files of a book are read.
        case read
        /// Files of a book are compared and written.
        case write
        /// Records come from a peer.
        case receive
        /// Records go to a peer.
        case send
    }

    /// One piece of work.
    struct Key: Hashable {
        var kind: Kind
        var book: String
        var peer: String?
    }

    /// Work of fewer things is done before anybody looks.
    static let worthShowing = 50

    /// Work on so many things leaves memory behind that is worth giving back.
    private static let worthTidying = 1000

    private var open: [Key: Progress] = [:]
    private var hasEndedMuch = false

    /// Takes note of what remains of a work; with nothing left it is done.
    mutating func observe(_ key: Key, remaining: Int, at time: UInt64) {
        guard remaining > 0 else {
            if let ended = open.removeValue(forKey: key), ended.total >= Self.worthTidying {
                hasEndedMuch = true
            }
            return
        }
        open[key, default: Progress()].observe(remaining: remaining, at: time)
    }

    /// Forgets what was done for a book that is no longer kept.
    mutating func forget(book: String) { open = open.filter { $0.key.book != book } }

    /// Whether much was done since this was asked last, and nothing is left to do.
    mutating func takeEndOfMuch() -> Bool {
        guard hasEndedMuch, open.isEmpty else { return false }
        hasEndedMuch = false
        return true
    }

    /// For the status: `[{"what", "book", "peer", "done", "total", "rate"}]`, the rate a second.
    var json: JSONValue {
        let shown = open.filter { $0.value.total >= Self.worthShowing }
        return .array(
            shown.sorted { Self.order($0.key) < Self.order($1.key) }.map { key, progress in
                [
                    "what": .string(key.kind.rawValue), "book": .string(key.book),
                    "peer": key.peer.map { .string($0) } ?? .null,
                    "done": .number(progress.done), "total": .number(progress.total),
                    "rate": progress.rate.map { .number(String(($0 * 10).rounded() / 10)) } ?? .null,
                ]
            }
        )
    }

    private static func order(_ key: Key) -> (String, String, String) {
        (key.book, key.kind.rawValue, key.peer ?? "")
    }
}

extension Daemon {
    /// Looks at what remains to be done; called at the end of each turn.
    func noteWorks() {
        let time = scheduler.uptime
        for book in books {
            let directory = book.directory
            works.observe(.init(kind: .read, book: book.name), remaining: directory.filesToRead, at: time)
            works.observe(.init(kind: .write, book: book.name), remaining: directory.filesToWrite, at: time)
            for peer in hub.peers.values {
                let feed = peer.link?.feeds[book.name]
                let name = peer.configuration.name
                works.observe(
                    .init(kind: .receive, book: book.name, peer: name),
                    remaining: feed?.toReceive ?? 0,
                    at: time
                )
                works.observe(
                    .init(kind: .send, book: book.name, peer: name),
                    remaining: feed?.toSend ?? 0,
                    at: time
                )
            }
        }
        if works.takeEndOfMuch() { _ = loop.after(1000) { [weak self] in self?.tidyMemory() } }
    }

    /// Gives back what the allocator holds free after much work: a daemon that rests for weeks should be small.
    func tidyMemory() { loop.work({ Surroundings.giveMemoryBack() }, then: {}) }
}
