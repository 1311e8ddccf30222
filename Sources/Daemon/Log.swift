import Controllers
import Glibc

/// The daemon's log: a line an event to stderr; under systemd with the journal's level marks in front.
final class Log {
    enum Level: String {
        case info = "<6>"
        case warning = "<4>"
        case error = "<3>"
    }

    private let now: () -> UInt64
    private let toJournal: Bool

    /// - Parameters:
    ///   - toJournal: whether stderr is the journal, which adds times itself and reads level marks.
    ///   - now: milliseconds since 1970.
    init(toJournal: Bool, now: @escaping () -> UInt64) {
        self.toJournal = toJournal
        self.now = now
    }

    func info(_ text: String) { write(.info, text) }
    func warning(_ text: String) { write(.warning, text) }
    func error(_ text: String) { write(.error, text) }

    private func write(_ level: Level, _ text: String) {
        let safe = String(
            text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) }
        )
        let line = (toJournal ? level.rawValue : Timestamp.text(now()) + " ") + safe + "\n"
        let bytes = Array(line.utf8)
        // A log that cannot be written is no reason to stop.
        _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(2, $0.baseAddress, $0.count) }
    }
}
