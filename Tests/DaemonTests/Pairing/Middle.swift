import Foundation
import JSON
import TLS
import Wire

/// A man in the middle: one machine dials him, he dials the other, and each of the two sessions is whole.
final class Middle {
    /// Where he listens.
    let port: UInt16
    /// The person who dialled, and the one who waits.
    let dialling: Talk
    let waiting: Talk
    private let near: Stranger
    private let far: Stranger

    init(between dialler: Machine, and waiter: Machine, as identity: Identity) throws {
        port = try Ports.free()
        let listener = try Socket.listening(port)
        waiting = try Talk.waiting(waiter)
        dialling = try Talk(dialler, ["address": .string("127.0.0.1:\(port)")])
        guard let socket = listener.accepted() else { throw Failure("nobody came") }
        near = try Stranger(accepting: socket, as: identity)
        far = try Stranger(dialling: waiter.port, as: identity)
    }

    /// Passes on what each says until one of them ends.
    func relay() {
        // Who speaks is fixed until the digits are shown: the dialler begins, and they take turns.
        var (from, to) = (near, far)
        while let message = try? from.next() {
            guard (try? to.send(message)) != nil else { return }
            if case .bye = message { return }
            (from, to) = (to, from)
        }
    }

    /// Pairs with each side by the rules, until both show their digits.
    func pairWithBoth(_ own: String) throws {
        let nonce = [UInt8](repeating: 5, count: PairingTranscript.nonceBytes)
        let offer = PairingOffer(name: "A", books: [Machine.book])
        var toFar = PairingMachine(
            try far.transcript(dialled: true, own: own),
            by: .digits,
            offer: offer,
            nonce: nonce
        )
        var toNear = PairingMachine(
            try near.transcript(dialled: false, own: own),
            digits: offer,
            invitations: [:],
            nonce: nonce
        )
        _ = try far.perform(toFar.begin())
        for _ in 0..<2 {
            if let message = try far.next() { _ = try far.perform(toFar.received(message)) }
            if let message = try near.next() { _ = try near.perform(toNear.received(message)) }
        }
    }
}
