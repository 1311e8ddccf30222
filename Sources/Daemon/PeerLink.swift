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

    /// A peer that says nothing before its login for so long is dropped, milliseconds.
    static let loginTimeout: UInt64 = 10_000

    private let dialler: String
    /// The device that was dialled, nil for a connection that was accepted.
    let target: String?
    private(set) var device: String?
    private(set) var start: ReplicaID?
    private(set) var peerBooks: [String] = []
    /// Feeds by book, once logged in.
    private(set) var feeds: [String: FeedController] = [:]
    private let stream: Stream
    private let tls: TLSConnection
    private var handshake: HandshakeMachine
    private var decoder: FrameDecoder
    private let encoder: FrameEncoder
    private let events: Events
    private var timer: LoopTimer?
    private var isOpen = true
    private var isPaused = false

    static let compression = FrameCompression(
        compress: { Zstd.compress($0) },
        decompress: { try Zstd.decompress($0, limit: $1) }
    )

    /// - Parameters:
    ///   - target: the device that we dialled, nil if it dialled us.
    ///   - pairs: whether somebody may pair now.
    ///   - accepts: whether a device is a peer.
    init(
        _ stream: Stream,
        loop: EventLoop,
        identity: Identity,
        target: String?,
        hello: Hello,
        pairs: @escaping () -> Bool,
        accepts: @escaping (String) -> Bool,
        events: Events
    ) {
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
        handshake = HandshakeMachine(ownDevice: identity.deviceID, ownHello: hello)
        decoder = FrameDecoder(compression: Self.compression)
        encoder = FrameEncoder(compression: Self.compression)
        stream.tune()
        stream.onBytes = { [weak self] bytes in self?.receive(bytes) }
        stream.onEnd = { [weak self] error in
            self?.end(error?.description ?? "the peer closed the connection")
        }
        timer = loop.after(Self.loginTimeout) { [weak self] in self?.end("no login within 10 s") }
        stream.start()
        pump()
    }

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
        feed.start()
    }

    /// Takes reading up again where a feed was full.
    func resumeReading() {
        guard isPaused, !feeds.values.contains(where: \.isFull) else { return }
        isPaused = false
        stream.resume()
    }

    /// Ends the connection, telling the peer why.
    func close(_ reason: String) {
        guard isOpen else { return }
        if tls.isEstablished { send(.bye(reason: String(reason.prefix(200)))) }
        end(reason)
    }

    private func receive(_ cipher: [UInt8]) {
        guard isOpen else { return }
        let wasEstablished = tls.isEstablished
        let plain: [UInt8]
        do { plain = try tls.receive(cipher) } catch {
            pump()
            end(refusal ?? error.reason)
            return
        }
        if !wasEstablished, tls.isEstablished, let device = tls.peerDeviceID {
            self.device = device
            guard tls.applicationProtocol == nil else { return handOver(plain) }
            perform(handshake.established(device: device))
        }
        pump()
        guard isOpen else { return }
        decoder.feed(plain)
        do {
            while isOpen, let frame = try decoder.next() {
                take(
                    try Message.decode(
                        frame.kind,
                        try JSONReader.value(frame.payload, maxDepth: WireLimits.depth)
                    )
                )
            }
        } catch {
            close("\(error)")
        }
        if isOpen, tls.isEnded { end("the peer closed the connection") }
        events.heard()
        if isOpen, feeds.values.contains(where: \.isFull), !isPaused {
            isPaused = true
            stream.pause()
        }
    }

    /// Why one side does not accept the other's key; nil if that is not so.
    private var refusal: String? {
        if tls.isKeyRefused { return "this device is not a peer there; pair the two machines" }
        return tls.refusedDeviceID.map { "device \($0) is not a peer here" }
    }

    /// Lets go of stream and session, and ends without a word.
    private func handOver(_ plain: [UInt8]) {
        isOpen = false
        timer?.cancel()
        events.pairing(self, PairingLink.Session(stream: stream, tls: tls, received: plain))
    }

    private func take(_ message: Message) {
        guard handshake.isLoggedIn else {
            do { perform(try handshake.received(message)) } catch { close(error.description) }
            return
        }
        switch message {
        case .bye(let reason):
            end("the peer says: \(reason)")
        case .hello:
            close("a second hello")
        default:
            guard let book = message.book, let feed = feeds[book] else {
                // A book that only the peer shares with us: it may learn of it later.
                return
            }
            feed.received(message)
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
            events.loggedIn(self, login)
        case .refuse(let refusal, let bye):
            send(bye)
            end("\(refusal)")
        case .closedByPeer(let reason): end("the peer says: \(reason)")
        }
    }

    private func pump() {
        let output = tls.takeOutput()
        if !output.isEmpty { stream.write(output) }
    }

    private func end(_ reason: String) {
        guard isOpen else { return }
        isOpen = false
        timer?.cancel()
        tls.close()
        pump()
        stream.onBytes = nil
        stream.onEnd = nil
        stream.closeAfterWrites()
        for feed in feeds.values { feed.close() }
        feeds = [:]
        events.ended(self, reason)
    }
}
