package import JSON

/// What both ends of one pairing connection know of it, and what they derive from that.
///
/// The TLS exporter (RFC 5705, RFC 8446 7.5) is different in any two sessions, and each end knows both device IDs from
/// the handshake: whoever sits between two machines has two sessions, and everything derived differs in them.
package struct PairingTranscript: Sendable {
    /// Bytes of a nonce: nobody can guess one.
    package static let nonceBytes = 16
    /// Bytes of an invitation's secret: nobody can find it by trying.
    package static let secretBytes = 16
    /// Bytes taken from the TLS exporter.
    package static let exporterBytes = 32
    /// The exporter's label; those that begin so need no registration (RFC 5705, 4).
    package static let exporterLabel = "EXPERIMENTAL-contactsync-pairing"
    /// The application protocol (RFC 7301) that a pairing connection asks for.
    package static let applicationProtocol = "contactsync-pairing/1"

    /// The device ID of the side that dialled.
    package let dialler: String
    /// The device ID of the side that waited.
    package let waiter: String
    private let exporter: [UInt8]
    private let hash: HashFunction

    /// - Parameter exporter: `exporterBytes` bytes of the TLS session.
    package init(dialler: String, waiter: String, exporter: [UInt8], hash: HashFunction) {
        precondition(exporter.count == Self.exporterBytes, "the exporter gives what it was asked for")
        self.dialler = dialler
        self.waiter = waiter
        self.exporter = exporter
        self.hash = hash
    }

    /// What the waiting side sends before it knows the other's nonce: it cannot change its own afterwards.
    func commitment(to nonce: [UInt8]) -> [UInt8] { derive("commitment", nonce) }

    /// Six digits for two people to compare.
    ///
    /// 64 bits are taken, so that no digits are noticeably likelier than others.
    func digits(diallers: [UInt8], waiters: [UInt8]) -> String {
        let number = derive("digits", diallers + waiters)[..<8].reduce(0) { $0 << 8 | UInt64($1) }
        let text = String(number % 1_000_000)
        return String(repeating: "0", count: 6 - text.count) + text
    }

    /// Shows that the dialling side has an invitation's secret, and is of no use in another session.
    func proof(of secret: [UInt8]) -> [UInt8] { derive("invitation", secret) }

    /// SHA-256 of parts whose lengths are fixed, the purpose first, which ends with a zero byte.
    private func derive(_ purpose: String, _ last: [UInt8]) -> [UInt8] {
        hash.sha256(
            Array("contactsync pairing \(purpose)\0".utf8) + exporter + Array(dialler.utf8)
                + Array(waiter.utf8) + last
        )
    }
}
