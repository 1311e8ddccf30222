/// A one-time address by which a machine may be paired with: `contactsync://HOST:PORT/DEVICE-ID/SECRET`.
package struct Invitation: Hashable, Sendable {
    /// A name or an address, without brackets.
    package let host: String
    package let port: UInt16
    /// The device ID of the machine that invites.
    package let device: String
    /// `PairingTranscript.secretBytes` random bytes.
    package let secret: [UInt8]

    /// What an invitation's text begins with.
    package static let scheme = "contactsync://"

    package init(host: String, port: UInt16, device: String, secret: [UInt8]) {
        self.host = host
        self.port = port
        self.device = device
        self.secret = secret
    }

    /// Reads what `text` wrote; nil for anything else.
    package init?(_ text: String) {
        guard text.hasPrefix(Self.scheme) else { return nil }
        let parts = text.dropFirst(Self.scheme.count).split(
            separator: "/",
            omittingEmptySubsequences: false
        )
        guard parts.count == 3, let colon = parts[0].lastIndex(of: ":"),
            let port = UInt16(parts[0][parts[0].index(after: colon)...]), port > 0,
            let device = [UInt8](hex: String(parts[1])), device.count == 32,
            let secret = [UInt8](hex: String(parts[2])), secret.count == PairingTranscript.secretBytes
        else { return nil }
        var host = String(parts[0][..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        guard !host.isEmpty else { return nil }
        self.init(host: host, port: port, device: String(parts[1]), secret: secret)
    }

    package var text: String {
        let place = host.contains(":") ? "[\(host)]" : host
        return "\(Self.scheme)\(place):\(port)/\(device)/\(secret.hex)"
    }
}
