import AddressBook
import Config
import Controllers
import EventLoop

/// What the daemon measures of itself, and all it has to say in numbers.
final class Metrics {
    private unowned let daemon: Daemon
    private var commits = Histogram()
    private var turns = Histogram()
    private var scans: [String: Histogram] = [:]
    private var clock: LoopClock?
    private let started: UInt64

    init(_ daemon: Daemon) {
        self.daemon = daemon
        started = Surroundings.wallClock()
    }

    /// Begins to measure.
    func start() {
        daemon.store.onCommitted = { [weak self] in self?.commits.observe($0) }
        clock = daemon.loop.measure { [weak self] in self?.turns.observe($0) }
        for book in daemon.books {
            let name = book.name
            scans[name] = Histogram()
            book.directory.onScanned = { [weak self] milliseconds in
                self?.scans[name]?.observe(seconds: Double(milliseconds) / 1000)
            }
        }
    }

    func close() { clock?.close() }

    /// All metrics, in Prometheus' text format.
    var text: String {
        var out = MetricsText()
        out.gauge(
            "contactsync_build_info",
            "The version that runs.",
            [([("version", Product.version)], 1)]
        )
        out.gauge(
            "process_start_time_seconds",
            "When this start began, since 1970.",
            [([], Double(started) / 1000)]
        )
        addBooks(&out)
        addPeers(&out)
        addHooks(&out)
        out.histogram(
            "contactsync_commit_duration_seconds",
            "Time a commit took on the disk.",
            [([], commits)]
        )
        out.histogram(
            "contactsync_scan_duration_seconds",
            "Time a look at all of a book's directory took.",
            scans.sorted { $0.key < $1.key }.map { ([("book", $0.key)], $0.value) }
        )
        out.histogram(
            "contactsync_loop_delay_seconds",
            "Time for which one turn of the event loop kept everything else waiting.",
            [([], turns)]
        )
        out.gauge(
            "contactsync_store_failing",
            "Whether the state cannot be stored just now (1), for instance on a full disk.",
            [([], daemon.committer.failure == nil ? 0 : 1)]
        )
        return out.text
    }

    private func addBooks(_ out: inout MetricsText) {
        func gauge(_ name: String, _ help: String, _ value: (Book) -> Int) {
            out.gauge(
                "contactsync_" + name,
                help,
                daemon.books.map { ([("book", $0.name)], Double(value($0))) }
            )
        }
        gauge("contacts", "Contacts of a book, as people see them.") { $0.list.index.count }
        gauge("files", "Files of a book.") { $0.directory.files.count }
        gauge("set_aside_files", "Files that cannot be read, or not all of them.") { book in
            Set(book.directory.setAside.map(\.file)).count
        }
        gauge("merged_records", "Records beyond one a contact: so many were merged into others.") {
            $0.list.index.mergedCount
        }
        gauge("conflicts", "Fields of which another value is kept than the one shown.") {
            $0.list.conflictCount
        }
        gauge("held", "Whether deletions of a book wait for a person's word (1).") { book in
            book.directory.state == "held" || !book.list.held.isEmpty ? 1 : 0
        }
        gauge("deleted_contacts", "Deleted records that are still known.") { $0.list.dead.count }
    }

    private func addPeers(_ out: inout MetricsText) {
        let peers = daemon.hub.peers.values.sorted { $0.configuration.name < $1.configuration.name }
        func labels(_ peer: PeerHub.Peer) -> MetricsText.Labels { [("peer", peer.configuration.name)] }
        out.gauge(
            "contactsync_peer_connected",
            "Whether a peer is connected (1).",
            peers.map { (labels($0), $0.link == nil ? 0 : 1) }
        )
        out.gauge(
            "contactsync_peer_in_sync_timestamp_seconds",
            "When we last knew that a peer and we held the same, since 1970.",
            peers.compactMap { peer in
                daemon.journal.lastEqual(peer).map { (labels(peer), Double($0) / 1000) }
            }
        )
        var lags: [(MetricsText.Labels, Double)] = []
        for peer in peers {
            for book in peer.configuration.books {
                guard let feed = peer.link?.feeds[book] else { continue }
                for (direction, lag) in [("receive", feed.toReceive), ("send", feed.toSend)] {
                    guard let lag else { continue }
                    let place = [("book", book), ("direction", direction)]
                    lags.append((labels(peer) + place, Double(lag)))
                }
            }
        }
        out.gauge(
            "contactsync_peer_lag_records",
            "Changes that a connected peer has yet to get from us (send), or we from it (receive).",
            lags
        )
        out.counter(
            "contactsync_peer_received_bytes_total",
            "Bytes that came from a peer, TLS included.",
            peers.map { (labels($0), Double($0.bytes.received + ($0.link?.bytes.received ?? 0))) }
        )
        out.counter(
            "contactsync_peer_sent_bytes_total",
            "Bytes that went to a peer, TLS included.",
            peers.map { (labels($0), Double($0.bytes.sent + ($0.link?.bytes.sent ?? 0))) }
        )
    }

    private func addHooks(_ out: inout MetricsText) {
        let hooks = daemon.hooks.hooks
        func labels(_ hook: Hooks.Hook) -> MetricsText.Labels { [("hook", hook.configuration.name)] }
        out.counter(
            "contactsync_hook_runs_total",
            "Times a hook was run.",
            hooks.map { (labels($0), Double($0.runs)) }
        )
        out.counter(
            "contactsync_hook_failures_total",
            "Times a hook failed, or took too long.",
            hooks.map { (labels($0), Double($0.failures)) }
        )
    }
}
