/// One origin that may add: 16 hex digits of the device, a dash, 16 random ones.
///
/// It travels only by segue, and shows in the status, in every log line about the session, and in the history.
package struct SessionID: Hashable, Sendable, CustomStringConvertible {
    /// How many digits of the device ID a session ID begins with.
    package static let deviceDigits = 16

    package let text: String

    /// Mints the ID of a session of a device.
    ///
    /// - Parameters:
    ///   - device: its device ID.
    ///   - random: 64 random bits.
    package init(device: String, random: UInt64) {
        precondition(device.utf8.count >= Self.deviceDigits, "a device ID has at least 16 digits")
        let digits = String(random, radix: 16)
        text =
            device.prefix(Self.deviceDigits) + "-" + String(repeating: "0", count: 16 - digits.count) + digits
    }

    package var description: String { text }
}

/// Where a session comes from.
package enum Origin: Hashable, Sendable {
    /// The book's own directory.
    case directory
    /// A peer's connection.
    case peer(device: String, name: String)
    /// One command-line connection.
    case command

    /// The word that the history shows.
    package var word: String {
        switch self {
        case .directory: "file"
        case .peer: "peer"
        case .command: "command"
        }
    }

    /// The peer's name as the configuration gives it, else its device.
    package var peerName: String {
        if case .peer(let device, let name) = self { return name.isEmpty ? device : name }
        return "a session of our own"
    }

    /// The peer's device, nil for our own sessions.
    package var peerDevice: String? {
        if case .peer(let device, _) = self { return device }
        return nil
    }
}
