import JSON
import TLS
import Wire

/// One end of a TLS connection that a test speaks itself, byte for byte: somebody with a key of its own.
final class Stranger {
    let socket: Socket
    let tls: TLSConnection
    private var decoder = FrameDecoder(compression: nil)

    /// Dials, asking for pairing or for the ordinary protocol.
    init(dialling port: UInt16, as identity: Identity, pairing: Bool = true) throws {
        socket = try Socket.loopback(port)
        tls = TLSConnection(
            identity: identity,
            role: .client,
            applicationProtocol: pairing ? PairingTranscript.applicationProtocol : nil
        ) { _ in true }
        try shakeHands()
    }

    /// Accepts somebody who wants to pair.
    init(accepting socket: Socket, as identity: Identity) throws {
        self.socket = socket
        tls = TLSConnection(identity: identity, role: .server, speaks: { _ in true }) { _ in true }
        try shakeHands()
    }

    /// What both ends of this session know, where this end dialled or waited.
    func transcript(dialled: Bool, own: String) throws -> PairingTranscript {
        guard let peer = tls.peerDeviceID else { throw Failure("no peer") }
        return PairingTranscript(
            dialler: dialled ? own : peer,
            waiter: dialled ? peer : own,
            exporter: tls.exportedSecret(
                label: PairingTranscript.exporterLabel,
                count: PairingTranscript.exporterBytes
            ),
            hash: HashFunction { sha256($0) }
        )
    }

    func send(_ message: PairingMessage) throws { try send(message.frame) }

    func send(_ frame: Frame) throws {
        try tls.send(FrameEncoder(compression: nil).encode(frame))
        flush()
    }

    /// Carries out what a pairing machine says; the digits, or how it ended.
    func perform(_ actions: [PairingMachine.Action]) throws -> String? {
        var said: String?
        for action in actions {
            switch action {
            case .send(let message): try send(message)
            case .ask(let digits): said = digits
            case .paired(let offer, _): said = "paired with \(offer.name)"
            case .failed(let failure, let bye):
                if let bye { try send(bye) }
                said = failure.description
            }
        }
        return said
    }

    /// The next message, or nil if the other side ends.
    func next() throws -> PairingMessage? {
        while true {
            if let frame = try decoder.next() { return try PairingMessage.decode(frame) }
            guard let plain = try more() else { return nil }
            decoder.feed(plain)
        }
    }

    private func shakeHands() throws {
        flush()
        while !tls.isEstablished {
            guard let plain = try more() else { throw Failure("the other side ends the handshake") }
            decoder.feed(plain)
        }
    }

    /// What arrives next; nil at the end.
    private func more() throws -> [UInt8]? {
        guard socket.isReadable(within: Patience.answer) else { throw Failure("nothing comes") }
        let bytes = socket.receive()
        guard !bytes.isEmpty, !tls.isEnded else { return nil }
        defer { flush() }
        let plain = try tls.receive(bytes)
        return tls.isEnded && plain.isEmpty ? nil : plain
    }

    private func flush() {
        let output = tls.takeOutput()
        if !output.isEmpty { socket.send(output) }
    }
}
