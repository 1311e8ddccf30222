import AddressBook
import Config
import Controllers
import EventLoop
import JSON
import Replication

/// What happens, told in the order in which it was committed to those who follow it.
///
/// The journal is the history that the store keeps anyway. Who follows it is a place in it and no queue, so a slow one
/// costs no memory, and only what is durable is told. While nobody follows nothing is read.
final class Journal {
    /// Lines that a follower may be behind, or go back to; who is further behind is told of a gap.
    static let reach: Int64 = 100_000
    /// Lines read in one turn of the loop.
    private static let page = 200
    /// Both sides have to hold the same for so long before a sync is told, milliseconds: while somebody types it is
    /// not worth a line each time.
    private static let syncRest: UInt64 = 300
    /// Days for which lines about no book are kept, where there is no book to say so.
    private static let keptDays = 30

    /// One who follows the journal.
    final class Follower {
        /// The number of the last line it was told.
        fileprivate(set) var place: Int64
        /// Lines after this one are not told; nil for who follows what comes.
        fileprivate let end: Int64?
        fileprivate let isReady: () -> Bool
        fileprivate let take: ([JSONObject]) -> Void
        fileprivate let done: () -> Void
        /// Whether there is more to be told than could be.
        fileprivate(set) var isBehind = true

        fileprivate init(
            place: Int64,
            end: Int64?,
            isReady: @escaping () -> Bool,
            take: @escaping ([JSONObject]) -> Void,
            done: @escaping () -> Void
        ) {
            self.place = place
            self.end = end
            self.isReady = isReady
            self.take = take
            self.done = done
        }
    }

    unowned let daemon: Daemon
    private var followers: [ObjectIdentifier: Follower] = [:]
    private var isPumping = false
    /// Peers and books that held the same here and there when that was told, and the book's last change then.
    private var synced: [Pair: UInt64] = [:]
    private var syncTimer: LoopTimer?
    /// By device: when that was told last, milliseconds since 1970.
    private var equalTimes: [String: UInt64] = [:]

    private struct Pair: Hashable {
        var device: String
        var book: String
    }

    init(_ daemon: Daemon) {
        self.daemon = daemon
    }

    // MARK: Telling

    /// Adds a line about a peer; it is told when it is durable.
    func tell(_ event: String, device: String, session: SessionID?, reason: String?) {
        tell(
            event,
            device: device,
            session: session,
            book: nil,
            reason.map { [("reason", $0)] } ?? []
        )
        // Until just now it held what we hold.
        if event == "peer-down", synced.contains(where: { isLast($0.key, $0.value, device) }) {
            equalTimes[device] = daemon.replica.now
        }
        // What the next connection finds equal is told again.
        for pair in synced.keys where pair.device == device { synced[pair] = nil }
        daemon.wake()
    }

    private func tell(
        _ event: String,
        device: String,
        session: SessionID?,
        book: BookID?,
        _ details: [(name: String, value: String)]
    ) {
        let line = HistoryRow(
            event: event,
            book: book,
            time: daemon.replica.now,
            session: session?.text ?? "",
            peer: device,
            details
        )
        daemon.committer.stage { $0.history.append(line) }
    }

    /// Looks whether a peer and we have come to hold the same, and something was exchanged for it.
    func endTurn() {
        guard syncTimer == nil, !newlyEqual().isEmpty else { return }
        syncTimer = daemon.loop.after(Self.syncRest) { [weak self] in
            guard let self else { return }
            syncTimer = nil
            // A pair that is at work just now is told of when it has come to rest.
            for (pair, head) in newlyEqual() {
                let book = daemon.books.first { $0.name == pair.book }?.list.settings.id
                let session = daemon.hub.peers[pair.device]?.session
                tell("sync-complete", device: pair.device, session: session, book: book, [])
                synced[pair] = head
                equalTimes[pair.device] = daemon.replica.now
            }
            daemon.wake()
        }
    }

    private func isLast(_ pair: Pair, _ head: UInt64, _ device: String) -> Bool {
        pair.device == device
            && daemon.books.contains { $0.name == pair.book && $0.list.committedHead == head }
    }

    /// When a peer and we were last known to hold the same, milliseconds since 1970; nil if not since the start.
    func lastEqual(_ peer: PeerHub.Peer) -> UInt64? {
        let feeds = peer.configuration.books.map { peer.link?.feeds[$0] }
        let isNow = !feeds.isEmpty && feeds.allSatisfy { $0?.isCaughtUp ?? false }
        return isNow ? daemon.replica.now : equalTimes[peer.configuration.id]
    }

    /// The pairs that hold the same and were not told of since the book's last change.
    private func newlyEqual() -> [(Pair, UInt64)] {
        var pairs: [(Pair, UInt64)] = []
        for (device, peer) in daemon.hub.peers {
            for (book, feed) in peer.link?.feeds ?? [:] where feed.isCaughtUp {
                let pair = Pair(device: device, book: book)
                let head = feed.list.committedHead
                if synced[pair] != head { pairs.append((pair, head)) }
            }
        }
        return pairs
    }

    /// Forgets lines about no book, once a day.
    func forget(before now: UInt64) {
        let days = daemon.books.map(\.configuration.keepDeleted).max() ?? Self.keptDays
        let span = UInt64(days) * 86_400_000
        guard now > span else { return }
        daemon.committer.stage { $0.removedHistoryBefore.append((HistoryRow.noBook, now - span)) }
    }

    // MARK: Following

    /// The number of the last line.
    var last: Int64 { ends.last }

    private var ends: (first: Int64, last: Int64) { (try? daemon.store.journalEnds()) ?? (first: 0, last: 0) }

    /// The number before the first line that can be told.
    var beginning: Int64 {
        let ends = ends
        return max(ends.first - 1, ends.last - Self.reach, 0)
    }

    /// The number before the first line at or after a time, in milliseconds since 1970.
    func place(at time: UInt64) -> Int64 {
        let start = try? daemon.store.journalStart(at: time, after: beginning)
        return start.flatMap { $0 }.map { $0 - 1 } ?? last
    }

    /// Tells what was committed after a place, now and from now on, until `leave`.
    ///
    /// - Parameters:
    ///   - end: the last line to be told, after which `done` is called and it has left; nil for all that comes.
    ///   - isReady: whether it takes more now; who was not calls `resume` when it is.
    @discardableResult
    func follow(
        from place: Int64,
        until end: Int64? = nil,
        isReady: @escaping () -> Bool,
        take: @escaping ([JSONObject]) -> Void,
        done: @escaping () -> Void = {}
    ) -> Follower {
        let follower = Follower(place: place, end: end, isReady: isReady, take: take, done: done)
        followers[ObjectIdentifier(follower)] = follower
        pumpSoon()
        return follower
    }

    func leave(_ follower: Follower) { followers[ObjectIdentifier(follower)] = nil }

    /// A follower takes more now.
    func resume(_ follower: Follower) { if follower.isBehind { pumpSoon() } }

    /// Something was committed.
    func pump() {
        guard !followers.isEmpty else { return }
        for follower in followers.values { follower.isBehind = true }
        pumpSoon()
    }

    private func pumpSoon() {
        guard !isPumping else { return }
        isPumping = true
        _ = daemon.loop.after(0) { [weak self] in
            guard let self else { return }
            isPumping = false
            for follower in followers.values where follower.isBehind && follower.isReady() { serve(follower) }
            if followers.values.contains(where: { $0.isBehind && $0.isReady() }) { pumpSoon() }
        }
    }

    /// Tells one page.
    private func serve(_ follower: Follower) {
        guard let ends = try? daemon.store.journalEnds() else { return }
        var events: [JSONObject] = []
        let first = max(ends.first - 1, ends.last - Self.reach)
        if follower.place < first {
            events.append(gap(first - follower.place))
            follower.place = first
        } else if follower.place > ends.last {
            // Another database: its numbers begin anew.
            events.append(gap(nil))
            follower.place = first
        }
        let rows = (try? daemon.store.journal(after: follower.place, limit: Self.page)) ?? []
        let told = rows.filter { $0.id <= follower.end ?? .max }
        events += self.events(told)
        follower.place = told.last?.id ?? follower.place
        follower.isBehind = rows.count == Self.page
        if !events.isEmpty { follower.take(events) }
        if let end = follower.end, follower.place >= end || told.count < rows.count || rows.isEmpty {
            leave(follower)
            follower.done()
        }
    }

    private func gap(_ missed: Int64?) -> JSONObject {
        var gap = JSONObject()
        gap["time"] = .string(Timestamp.text(daemon.replica.now))
        gap["event"] = "gap"
        if let missed { gap["missed"] = .number(missed) }
        return gap
    }
}
