import Config
import Controllers
import EventLoop
import Replication
import TLS
import Wire

/// All peers: who is configured, who is connected, whom to dial and when.
final class PeerHub {
    /// What is known of one configured peer.
    final class Peer {
        var configuration: Configuration.Peer
        var link: PeerLink?
        var session: SessionID?
        var backoff = Backoff()
        var timer: LoopTimer?
        var isDialling = false
        var lastError: String?
        var trouble: PeerTrouble?
        var logins = Allowance(perSecond: WireLimits.loginsPerSecond, burst: WireLimits.loginBurst)
        /// Bytes on the connections that have ended.
        var bytes = (received: UInt64(0), sent: UInt64(0))
        /// Which refusals were logged on this connection.
        var saidRefused: Set<String> = []
        /// Since when it is connected, or is not, milliseconds since 1970.
        var since = Surroundings.wallClock()

        init(_ configuration: Configuration.Peer) {
            self.configuration = configuration
        }

        /// Whether it, or we, will not have the other: no trying again mends that.
        var isRefused: Bool { trouble?.isRefusal == true }

        /// `connected`, `connecting`, `offline` or `refused`.
        var state: String {
            if link != nil { return "connected" }
            if isDialling { return "connecting" }
            return isRefused ? "refused" : "offline"
        }
    }

    /// By device ID.
    private(set) var peers: [String: Peer] = [:]
    private let loop: EventLoop
    private let identity: Identity
    private let login: LoginController
    private let replica: Replica
    private let committer: Committer
    private let scheduler: any Scheduler
    private let log: Log
    /// What peers are told that this machine is called, from their next connection on.
    var name: String
    private let books: () -> [Book]
    private var listener: Listener?
    private var network: NetworkWatch?
    /// Connections that have not logged in yet, and all others.
    private var links: [ObjectIdentifier: PeerLink] = [:]
    private var isOpen = true
    /// Whether somebody may pair now, and who takes the connection then.
    var pairs: () -> Bool = { false }
    var pairing: (PairingLink.Session) -> Void = { $0.stream.close() }
    /// Something a status shows has changed.
    var changed: () -> Void = {}
    /// A peer came or went: `peer-up` or `peer-down`, its device and session, and why it went.
    var told: (String, String, SessionID?, String?) -> Void = { _, _, _, _ in }
    /// Whether there is room for what peers send.
    var mayTake: () -> Bool = { true }

    /// Those who have not logged in.
    private(set) var strangers = Strangers()
    /// When strangers were last spoken of in the log, on the loop's clock.
    private var strangersLogged: UInt64?
    /// Of strangers that showed no key the log speaks so often at most, milliseconds.
    private static let strangersLogInterval: UInt64 = 60_000

    init(
        loop: EventLoop,
        identity: Identity,
        login: LoginController,
        replica: Replica,
        committer: Committer,
        scheduler: any Scheduler,
        log: Log,
        name: String,
        books: @escaping () -> [Book]
    ) {
        self.loop = loop
        self.identity = identity
        self.login = login
        self.replica = replica
        self.committer = committer
        self.scheduler = scheduler
        self.log = log
        self.name = name
        self.books = books
    }

    /// The port we accept on, nil if we do not.
    var port: UInt16? { listener?.port }

    /// Listens, here or elsewhere than before; who is connected stays so.
    func listen(_ listen: Configuration.Listen) throws(LoopError) {
        listener?.close()
        listener = nil
        guard case .at(let host, let port) = listen else { return }
        listener = try loop.listen(host: host, port: port) { [weak self] stream in self?.accept(stream) }
    }

    /// Listens, and dials all that have an address.
    func start(_ listen: Configuration.Listen) throws(LoopError) {
        try self.listen(listen)
        network = loop.onNetworkChange { [weak self] in self?.dialNow() }
    }

    /// Takes the configured peers; who is no longer among them is disconnected, and who is told something new, or shares
    /// one of some books, connects anew.
    func configure(_ configured: [Configuration.Peer], renewing books: Set<String> = []) {
        let wanted = Dictionary(uniqueKeysWithValues: configured.map { ($0.id, $0) })
        login.peers = wanted.mapValues {
            LoginController.Peer(
                name: $0.name,
                device: $0.id,
                books: Set($0.books),
                isReadOnly: $0.access == .read
            )
        }
        for (device, peer) in peers where wanted[device] == nil {
            peer.timer?.cancel()
            peer.link?.close("no longer a peer here", isRefusal: true)
            peers[device] = nil
        }
        for (device, configuration) in wanted {
            strangers.forget(device)
            if let peer = peers[device] {
                var old = peer.configuration
                // Where it stands in the file is nothing to it.
                old.line = configuration.line
                let isConcerned = old != configuration || !books.isDisjoint(with: configuration.books)
                peer.configuration = configuration
                // One that is not logged in yet may have named the books there were: both would go on without the others.
                for link in links.values where isConcerned && link.device == device {
                    link.close("the configuration changed")
                }
            } else {
                peers[device] = Peer(configuration)
            }
        }
        dialNow()
    }

    /// Ends the connections on which a book is exchanged.
    func part(from book: String) {
        for peer in peers.values where peer.link?.feeds[book] != nil {
            peer.link?.close("the configuration changed")
        }
    }

    /// Dials all that are not connected, now.
    func dialNow() {
        for peer in peers.values where peer.link == nil {
            peer.backoff.reset()
            peer.timer?.cancel()
            peer.timer = nil
            dial(peer)
        }
    }

    func close() {
        isOpen = false
        listener?.close()
        network?.close()
        for peer in peers.values { peer.timer?.cancel() }
        for link in links.values { link.close("this daemon stops") }
    }

    /// Takes in some of what came, and lets links read on whose feeds have room again.
    func resume() { for link in links.values { link.resume() } }

    /// Whether the next turn should come at once.
    var hasWork: Bool { links.values.contains(where: \.hasWork) }

    // MARK: Connecting

    private func dial(_ peer: Peer) {
        guard isOpen, let address = peer.configuration.address, peer.link == nil, !peer.isDialling else {
            return
        }
        peer.isDialling = true
        loop.connect(host: address.host, port: address.port) { [weak self, weak peer] result in
            guard let self, let peer else {
                if case .success(let stream) = result { stream.close() }
                return
            }
            peer.isDialling = false
            switch result {
            case .failure(let error): failed(peer, error.description, .unreachable)
            case .success(let stream):
                guard isOpen, peers[peer.configuration.id] === peer else { return stream.close() }
                peer.isDialling = true
                let device = peer.configuration.id
                link(stream, target: device) { $0 == device }
            }
        }
    }

    private func failed(_ peer: Peer, _ reason: String, _ trouble: PeerTrouble) {
        if peer.lastError != reason {
            log.info("\(peer.configuration.name): \(reason)", .peer(peer.configuration.name))
        }
        peer.lastError = reason
        peer.trouble = trouble
        retry(peer)
        changed()
    }

    private func retry(_ peer: Peer) {
        guard isOpen, peer.link == nil, peer.timer == nil, peer.configuration.address != nil else { return }
        let jitter = Double(Random.bits64() >> 11) / Double(1 << 53)
        peer.timer = loop.after(peer.backoff.next(jitter: jitter)) { [weak self, weak peer] in
            guard let self, let peer else { return }
            peer.timer = nil
            dial(peer)
        }
    }

    private func accept(_ stream: Stream) {
        guard isOpen, strangers.mayCome(from: stream.peerNetwork, now: loop.now) else {
            return stream.close()
        }
        link(stream, target: nil) { [weak self] device in self?.peers[device] != nil }
    }

    private func link(
        _ stream: Stream,
        target: String?,
        accepts: @escaping (String) -> Bool
    ) {
        let link = PeerLink(
            stream,
            loop: loop,
            identity: identity,
            target: target,
            hello: { [unowned self] in hello(to: $0) },
            pairs: { [weak self] in self?.pairs() ?? false },
            accepts: accepts,
            events: PeerLink.Events(
                loggedIn: { [weak self] link, login in self?.loggedIn(link, login) },
                ended: { [weak self] link, reason in self?.ended(link, reason) },
                pairing: { [weak self] link, session in
                    self?.strangers.left(link.network)
                    self?.links[ObjectIdentifier(link)] = nil
                    self?.pairing(session)
                },
                heard: { [weak self] in self?.changed() }
            )
        )
        links[ObjectIdentifier(link)] = link
    }

    /// A peer hears of those books only that we share with it.
    private func hello(to device: String) -> Hello {
        let shared = peers[device]?.configuration.books ?? []
        return Hello(
            device: name,
            start: replica.id,
            books: books().map(\.name).filter(shared.contains).sorted(),
            clock: replica.now
        )
    }

    private func loggedIn(_ link: PeerLink, _ hello: HandshakeMachine.Login) {
        let isTooMany = peers[hello.device]?.logins.take(now: loop.now) == false
        strangers.loggedIn(link.network, wasLetCome: link.target == nil, isTooMany: isTooMany)
        guard let peer = peers[hello.device] else {
            return link.close("no longer a peer here", isRefusal: true)
        }
        guard !isTooMany else {
            return link.close("more than \(WireLimits.loginsPerSecond) logins a second")
        }
        peer.isDialling = false
        let wasConnected = peer.link != nil
        if let old = peer.link, old !== link, let oldStart = old.start {
            let choice = ConnectionChoice.choose(
                old: .init(start: oldStart, dialler: old.dialledBy),
                new: .init(start: hello.hello.start, dialler: link.dialledBy)
            )
            switch choice {
            case .keepOld: return link.close("connected already")
            case .keepNew:
                peer.link = nil
                old.close("replaced by a newer connection")
            }
        }
        let shared = books().filter {
            peer.configuration.books.contains($0.name) && hello.hello.books.contains($0.name)
        }
        do {
            let session = try login.login(
                .peer(device: hello.device, name: peer.configuration.name),
                to: shared.map(\.list)
            )
            peer.session = session
            peer.saidRefused = []
            peer.link = link
            peer.lastError = nil
            peer.trouble = nil
            peer.since = replica.now
            peer.timer?.cancel()
            peer.timer = nil
            peer.backoff.reset()
            log.info(
                "\(peer.configuration.name): connected, session \(session)",
                .peer(peer.configuration.name),
                .session(session)
            )
            if !wasConnected { told("peer-up", hello.device, session, nil) }
            for book in shared {
                let feed = FeedController(
                    list: book.list,
                    session: session,
                    ownDevice: identity.deviceID,
                    peer: hello.device,
                    committer: committer,
                    scheduler: scheduler,
                    send: { [weak link] in link?.send($0) },
                    fail: { [weak link] in link?.close($0) }
                )
                feed.mayTake = { [weak self] in self?.mayTake() ?? false }
                feed.onRefusal = { [weak self] in self?.saidRefused($0, peer) }
                link.add(feed)
            }
        } catch {
            link.close("login refused")
        }
        changed()
    }

    /// Says once a connection what a read-only book refuses.
    private func saidRefused(_ feed: FeedController, _ peer: Peer) {
        let (name, book) = (peer.configuration.name, feed.list.settings.name)
        let counts = feed.refusedCounts
        if feed.isReadOnly, counts.here > 0, peer.saidRefused.insert(book + "/here").inserted {
            log.warning(
                "\(name): what it changed in \(book) is refused, as it may only read; see `contactsync peers`"
            )
        }
        if feed.isReadOnlyThere, counts.there > 0, peer.saidRefused.insert(book + "/there").inserted {
            log.warning(
                "\(name): refuses what was changed here in \(book): we may only read it there; see `contactsync peers`"
            )
        }
        changed()
    }

    private func ended(_ link: PeerLink, _ reason: String) {
        links[ObjectIdentifier(link)] = nil
        if link.start != nil {
            strangers.loggedOut(link.network)
        } else if link.target == nil {
            strangers.left(link.network)
        }
        if let device = link.device ?? link.target, let peer = peers[device] {
            peer.bytes.received += link.bytes.received
            peer.bytes.sent += link.bytes.sent
            if peer.link === link {
                log.info(
                    "\(peer.configuration.name): disconnected, session \(peer.session?.text ?? "-"): \(reason)",
                    .peer(peer.configuration.name),
                    peer.session.map { .session($0) }
                )
                told("peer-down", device, peer.session, reason)
                peer.link = nil
                peer.session = nil
                peer.since = replica.now
            }
            if link.target != nil { peer.isDialling = false }
            if peer.link == nil { failed(peer, reason, link.trouble) }
        } else {
            strangerEnded(link, reason)
        }
        changed()
    }

    /// Speaks of each device once, and of those that showed none now and then: a stranger cannot fill the log.
    private func strangerEnded(_ link: PeerLink, _ reason: String) {
        if let device = link.refusedDevice {
            let time = Surroundings.wallClock()
            if strangers.refuse(device, from: link.address, time: time) {
                log.warning("\(link.address): refused, \(reason); see `contactsync status`")
            }
        } else if loop.now - (strangersLogged ?? 0) >= Self.strangersLogInterval || strangersLogged == nil {
            strangersLogged = loop.now
            log.info("\(link.address): a stranger's connection ended: \(reason)")
        }
    }
}
