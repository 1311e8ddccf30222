import Compression
import EventLoop
import TLS
import Wire

/// One connection on which two machines get to know each other's keys: bytes, TLS, frames, the pairing machine.
///
/// Nothing else can be done on it.
final class PairingLink {
    /// A stream and the TLS session on it; the handshake may be still to come.
    struct Session {
        let stream: Stream
        let tls: TLSConnection
        /// What the session has read already.
        var received: [UInt8] = []
    }

    /// How it ended: with what the other side offers, and the secret of the invitation that it had.
    typealias Outcome = Result<(offer: PairingOffer, secret: [UInt8]?), PairingFailure>

    /// What the controller is told.
    struct Events {
        /// TLS stands, the other end has this device ID: says what to go on with.
        var established: (PairingLink, String) -> PairingMachine
        /// The digits are to be shown to a person.
        var ask: (PairingLink, String) -> Void
        /// It ended, once.
        var ended: (PairingLink, Outcome) -> Void
    }

    /// People may take so long to compare the digits, milliseconds.
    private static let comparingTime: UInt64 = 300_000

    private(set) var device: String?
    /// Where the other end is, with the port.
    var address: String { stream.peerAddress }
    private let ownDevice: String
    private let stream: Stream
    private let tls: TLSConnection
    private let loop: EventLoop
    private let events: Events
    private var machine: PairingMachine?
    private var decoder = FrameDecoder(compression: nil)
    private let encoder = FrameEncoder(compression: nil)
    private var timer: LoopTimer?
    private var isOpen = true

    init(_ session: Session, ownDevice: String, loop: EventLoop, events: Events) {
        self.ownDevice = ownDevice
        stream = session.stream
        tls = session.tls
        self.loop = loop
        self.events = events
        stream.onBytes = { [weak self] bytes in self?.receive(bytes) }
        stream.onEnd = { [weak self] error in
            self?.end(.lost(reason: error?.description ?? "the other side closed the connection"))
        }
        timer = loop.after(WireLimits.loginTimeout) { [weak self] in
            self?.end(.lost(reason: "the other side said nothing for \(WireLimits.loginTimeout / 1000) s"))
        }
    }

    /// Begins; `received` is what the session had read.
    func start(received plain: [UInt8] = []) {
        if tls.isEstablished { establish() }
        take(plain)
        stream.start()
        pump()
    }

    /// The person has looked at the digits.
    func answer(_ isEqual: Bool) { perform(machine?.answered(isEqual) ?? []) }

    /// Ends it, telling the other side why.
    func cancel(_ reason: String) {
        guard isOpen else { return }
        if tls.isEstablished { send(.bye(reason: reason)) }
        end(.lost(reason: reason))
    }

    /// The secret of this TLS session that the digits are derived from.
    var exporter: [UInt8] {
        tls.exportedSecret(label: PairingTranscript.exporterLabel, count: PairingTranscript.exporterBytes)
    }

    private func receive(_ cipher: [UInt8]) {
        let wasEstablished = tls.isEstablished
        let plain: [UInt8]
        do { plain = try tls.receive(cipher) } catch {
            pump()
            return end(failure(error))
        }
        if !wasEstablished, tls.isEstablished { establish() }
        pump()
        take(plain)
        if isOpen, tls.isEnded { end(.lost(reason: "the other side closed the connection")) }
    }

    private func failure(_ error: TLSError) -> PairingFailure {
        if tls.isProtocolRefused {
            return .lost(
                reason:
                    "it does not wait for pairing; say `contactsync pair` there first, or ask for a new invitation"
            )
        }
        guard let device = tls.refusedDeviceID else { return .lost(reason: error.reason) }
        guard device != ownDevice else { return .lost(reason: "that is this machine itself") }
        return .lost(
            reason:
                "another machine answers there than the one that invited (\(device)); nothing was told to it"
        )
    }

    private func establish() {
        guard isOpen, let device = tls.peerDeviceID else { return }
        guard tls.applicationProtocol == PairingTranscript.applicationProtocol else {
            return end(.lost(reason: "it does not know pairing; is it the same version?"))
        }
        self.device = device
        var machine = events.established(self, device)
        let actions = machine.begin()
        self.machine = machine
        perform(actions)
    }

    private func take(_ plain: [UInt8]) {
        guard isOpen else { return }
        decoder.feed(plain)
        do {
            while isOpen, let frame = try decoder.next() {
                let message = try PairingMessage.decode(frame)
                perform(machine?.received(message) ?? [])
            }
        } catch { perform(machine?.broke(error) ?? []) }
    }

    private func perform(_ actions: [PairingMachine.Action]) {
        for action in actions where isOpen {
            switch action {
            case .send(let message): send(message)
            case .ask(let digits):
                timer?.cancel()
                timer = loop.after(Self.comparingTime) { [weak self] in
                    self?.cancel("the digits were not confirmed in time")
                }
                events.ask(self, digits)
            case .paired(let offer, let secret): end(.success((offer, secret)))
            case .failed(let failure, let bye):
                if let bye { send(bye) }
                end(failure)
            }
        }
    }

    private func send(_ message: PairingMessage) {
        do {
            try tls.send(try encoder.encode(message.frame))
            pump()
        } catch { end(.lost(reason: "\(error)")) }
    }

    private func pump() {
        let output = tls.takeOutput()
        if !output.isEmpty { stream.write(output) }
    }

    private func end(_ failure: PairingFailure) { end(.failure(failure)) }

    private func end(_ outcome: Outcome) {
        guard isOpen else { return }
        isOpen = false
        timer?.cancel()
        tls.close()
        pump()
        stream.onBytes = nil
        stream.onEnd = nil
        stream.closeAfterWrites()
        events.ended(self, outcome)
    }
}
