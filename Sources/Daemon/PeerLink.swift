import JSON
import Compression
import Controllers
import EventLoop
import Replication
import TLS
import Wire

/// One connection to a device: bytes, TLS, frames, the login, and then a feed for each shared book.
final class PeerLink {
    /// What the hub is told.
    struct Events {
        /// The peer's hello was read; says whether the connection may go on.
        var loggedIn: (PeerLink, HandshakeMachine.Login) -> Void
        /// It ended, once.
        var ended: (PeerLink, String) -> Void
        /// It is a connection for pairing: the stream and the session go on without this link.
        var pairing: (PeerLink, PairingLink.Session) -> Void
        /// Messages were taken; what somebody waits for may be so now.
        var heard: () -> Void
    }

    private let dialler: String
    /// The device that was dialled, nil for a connection that was accepted.
    let target: String?
    private(set) var device: String?
    private(set) var start: ReplicaID?
    private(set) var peerBooks: [String] = []
    /// How far the peer's clock was ahead of ours at its hello, milliseconds; nil if it does not tell.
    private(set) var clockAhead: Int64?
    /// When the peer was heard last, milliseconds since 1970.
    private(set) var heard = Surroundings.wallClock()
    /// What kind of end it came to.
    private(set) var trouble = PeerTrouble.lost
    /// Feeds by book, once logged in.
    private(set) var feeds: [String: FeedController] = [:]
    private let loop: EventLoop
    private let stream: Stream
    private let tls: TLSConnection
    private var handshake: HandshakeMachine
    private let hello: (String) -> Hello
    private var decoder: FrameDecoder
    private let encoder: FrameEncoder
    private let events: Events
    private var timer: LoopTimer?
    /// What the peer may do in what time, and what it has done.
    private var pace = PeerPace()
    private var paceTimer: LoopTimer?
    private var (framesTaken, bytesRead, bytesWritten) = (0, 0, 0)
    private var isOpen = true
    private var isPaused = false
    /// Whether a frame is being read on another thread; those behind it wait.
    private var isDecoding = false
    /// Bytes taken in before the login.
    private var earlyBytes = 0
    /// Bytes on the wire so far, as they went into and came out of TCP.
    var bytes: (received: UInt64, sent: UInt64) { (UInt64(bytesRead), UInt64(bytesWritten)) }

    /// The most that is read at once on the loop, in bytes of payload: some ten contacts.
    private static let smallFrame = 16 << 10

    static let compression = FrameCompression(
        compress: { Zstd.compress($0) },
        decompress: { try Zstd.decompress($0, limit: $1) }
    )

    /// - Parameters:
    ///   - target: the device that we dialled, nil if it dialled us.
    ///   - hello: what a device may hear of us.
    ///   - pairs: whether somebody may pair now.
    ///   - accepts: whether a device is a peer.
    init(
        _ stream: Stream,
        loop: EventLoop,
        identity: Identity,
        target: String?,
        hello: @escaping (String) -> Hello,
        pairs: @escaping () -> Bool,
        accepts: @escaping (String) -> Bool,
        events: Events
    ) {
        self.loop = loop
        self.stream = stream
        self.target = target
        dialler = target == nil ? "" : identity.deviceID
        self.events = events
        // TLS asks for the protocol first: whoever wants to pair shows a key that nobody knows yet.
        var isPairing = false
        tls = TLSConnection(
            identity: identity,
            role: target == nil ? .server : .client,
            speaks: {
                isPairing = $0 == PairingTranscript.applicationProtocol && pairs()
                return isPairing
            },
            accepts: { $0 != identity.deviceID && (isPairing || accepts($0)) }
        )
        handshake = HandshakeMachine(ownDevice: identity.deviceID)
        self.hello = hello
        decoder = FrameDecoder(compression: Self.compression)
        encoder = FrameEncoder(compression: Self.compression)
        stream.tune()
        stream.onBytes = { [weak self] bytes in self?.receive(bytes) }
        stream.onEnd = { [weak self] error in
            self?.end(error?.description ?? "the peer closed the connection")
        }
        timer = loop.after(WireLimits.loginTimeout) { [weak self] in
            self?.close("no login within \(WireLimits.loginTimeout / 1000) s", .silent)
        }
        stream.start()
        pump()
    }

    /// Where the other end is, without the port, and its network.
    var address: String { stream.peerHost }
    var network: String { stream.peerNetwork }
    /// The key that was refused.
    var refusedDevice: String? { tls.refusedDeviceID }

    /// The device that dialled: what was said, or the peer once it is known.
    var dialledBy: String { dialler.isEmpty ? device ?? "" : dialler }

    /// Sends a message; the connection ends if it cannot be sent.
    func send(_ message: Message) {
        guard isOpen else { return }
        do {
            try tls.send(try encoder.encode(message))
            pump()
        } catch let error as WireError {
            end(error.description)
        } catch {
            end("\(error)")
        }
    }

    /// Begins a book's feed.
    func add(_ feed: FeedController) {
        feeds[feed.list.settings.name] = feed
        feed.mayRead = { [weak self] in !(self?.isUnread ?? true) }
        feed.start()
    }

    /// Goes on with what had to wait: until a commit, until the peer had read, or for the next turn.
    func resume() {
        guard isOpen else { return }
        for feed in feeds.values { feed.resume() }
        guard isPaused, !isHeld, !isDecoding else { return }
        isPaused = false
        stream.resume()
        workOff()
    }

    /// Whether the next turn should come at once.
    var hasWork: Bool { isOpen && feeds.values.contains(where: \.hasWork) }

    /// Ends the connection, telling the peer why; `isRefusal`: it is no peer here.
    func close(_ reason: String, _ kind: PeerTrouble = .lost, isRefusal: Bool = false) {
        guard isOpen else { return }
        if tls.isEstablished { send(.bye(because: reason, isRefusal: isRefusal)) }
        end(reason, kind)
    }

    private func receive(_ cipher: [UInt8]) {
        guard isOpen else { return }
        heard = Surroundings.wallClock()
        if !handshake.isLoggedIn { earlyBytes += cipher.count }
        let wasEstablished = tls.isEstablished
        let plain: [UInt8]
        do { plain = try tls.receive(cipher) } catch {
            pump()
            if let refused = tls.refusedDeviceID {
                return end("device \(refused) is not a peer here", .otherKey)
            }
            // A client's handshake is done before the server has judged its key (RFC 8446, 2).
            if tls.isKeyRefused || wasEstablished && !handshake.isLoggedIn && target != nil {
                return end("this device is not a peer there; pair the two machines", .refusedThere)
            }
            end(error.reason, wasEstablished ? .lost : .noTLS)
            return
        }
        if !wasEstablished, tls.isEstablished, let device = tls.peerDeviceID {
            self.device = device
            guard tls.applicationProtocol == nil else { return handOver(plain) }
            perform(handshake.established(device: device, hello: hello(device)))
        }
        pump()
        guard isOpen else { return }
        bytesRead += cipher.count
        decoder.feed(plain)
        if !isPaused { workOff() }
        if isOpen, !handshake.isLoggedIn, earlyBytes > Strangers.bytes {
            close("more than \(Strangers.bytes) bytes before its login")
        }
    }

    /// Lets go of stream and session, and ends without a word.
    private func handOver(_ plain: [UInt8]) {
        isOpen = false
        timer?.cancel()
        paceTimer?.cancel()
        events.pairing(self, PairingLink.Session(stream: stream, tls: tls, received: plain))
    }

    /// Works off frames as long as there is room for what they bring, and not more in a turn than is fair to others.
    private func workOff() {
        var share = TurnShare()
        do throws(WireError) {
            while isOpen, share.isLeft, !isHeld, !isDecoding, let frame = try decoder.next() {
                share.took(frame.payload.count)
                framesTaken += 1
                try pace.took(frame.kind, now: loop.now)
                if frame.payload.count > Self.smallFrame {
                    decodeApart(frame)
                } else {
                    try take(try Message.decode(frame), bytes: frame.payload.count)
                }
            }
        } catch { close(error.description) }
        events.heard()
        guard isOpen else { return }
        isPaused = isHeld || isDecoding || !share.isLeft
        if isPaused { stream.pause() } else if tls.isEnded { end("the peer closed the connection") }
        watch()
    }

    /// Reads a frame on another thread: one that is full would hold the loop up for ten milliseconds.
    private func decodeApart(_ frame: Frame) {
        isDecoding = true
        loop.work({ Result { () throws(WireError) in try Message.decode(frame) } }) { [weak self] message in
            guard let self, isOpen else { return }
            isDecoding = false
            do throws(WireError) { try take(try message.get(), bytes: frame.payload.count) } catch {
                return close(error.description)
            }
            resume()
            events.heard()
        }
    }

    private func take(_ message: Message, bytes: Int) throws(WireError) {
        guard handshake.isLoggedIn else { return perform(try handshake.received(message)) }
        switch message {
        case .bye(let reason, let isRefusal): left(reason, isRefusal)
        case .hello:
            close("a second hello")
        default:
            guard let book = message.book, let feed = feeds[book] else {
                // A book that only the peer shares with us: it may learn of it later.
                return
            }
            feed.received(message, bytes: bytes)
        }
    }

    private func perform(_ action: HandshakeMachine.Action) {
        switch action {
        case .send(let message): send(message)
        case .loggedIn(let login):
            timer?.cancel()
            timer = nil
            decoder.loggedIn()
            start = login.hello.start
            peerBooks = login.hello.books
            clockAhead = login.hello.clock.map { Int64($0) - Int64(Surroundings.wallClock()) }
            events.loggedIn(self, login)
        case .refuse(let refusal, let bye):
            send(bye)
            end(refusal.sentence, refusal == .ownDevice ? .ourselves : .version)
        case .closedByPeer(let reason, let isRefusal): left(reason, isRefusal)
        }
    }

    /// The peer has said why it closes.
    private func left(_ reason: String, _ isRefusal: Bool) {
        end("the peer says: \(reason)", isRefusal ? .refusedThere : .lost)
    }

    private func pump() {
        let output = tls.takeOutput()
        guard !output.isEmpty else { return }
        bytesWritten += output.count
        stream.write(output) { [weak self] _ in self?.resume() }
        watch()
    }

    /// Whether nothing more is to be taken from the peer for now.
    private var isHeld: Bool { isUnread || feeds.values.contains(where: \.isFull) }

    /// Whether the peer is to read first.
    private var isUnread: Bool { PeerPace.isHeld(unread: stream.pendingBytes) }

    /// Looks after a while whether what is unfinished gets on.
    private func watch() {
        guard isOpen, paceTimer == nil, progress.isMidFrame || progress.isUnread else { return }
        pace.begin(progress)
        look()
    }

    private func look() {
        paceTimer = loop.after(WireLimits.patience) { [weak self] in
            guard let self, isOpen else { return }
            paceTimer = nil
            do throws(WireError) { if try pace.look(progress) { look() } } catch { close(error.description) }
        }
    }

    private var progress: PeerPace.Progress {
        PeerPace.Progress(
            frames: framesTaken,
            read: bytesRead,
            written: bytesWritten - stream.pendingBytes,
            isMidFrame: !isPaused && (decoder.pendingBytes > 0 || tls.isMidRecord),
            isUnread: stream.pendingBytes > 0
        )
    }

    private func end(_ reason: String, _ kind: PeerTrouble = .lost) {
        guard isOpen else { return }
        isOpen = false
        trouble = kind
        timer?.cancel()
        paceTimer?.cancel()
        tls.close()
        pump()
        stream.onBytes = nil
        stream.onEnd = nil
        stream.closeAfterWrites()
        for feed in feeds.values { feed.close() }
        feeds = [:]
        events.ended(self, Reason.line(reason))
    }
}
