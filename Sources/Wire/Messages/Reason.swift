/// Why a connection ended, as it is said, logged and shown.
package enum Reason {
    /// The text as one line of at most `WireLimits.reasonBytes`: a peer had its hand in it, directly or by what it sent, and
    /// may neither forge a line, nor steer a terminal, nor fill the disk through the log.
    package static func line(_ text: String) -> String {
        var line = ""
        var left = WireLimits.reasonBytes - cut.utf8.count
        for scalar in text.unicodeScalars {
            let safe: Character = scalar.steersText ? " " : Character(scalar)
            left -= safe.utf8.count
            guard left >= 0 else { return line + cut }
            line.append(safe)
        }
        return line
    }

    /// Stands for what was cut off.
    private static let cut = "…"
}

extension Unicode.Scalar {
    /// Whether it would steer a terminal (control characters), end a line, or turn text around (bidirectional controls,
    /// Unicode UAX #9).
    package var steersText: Bool {
        switch value {
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: properties.generalCategory == .control
        }
    }
}
