import Controllers
import Glibc
import Supervision
import Wire

/// The daemon's log: a line an event to stderr, or an entry with fields where stderr is the journal.
final class Log {
    /// As syslog(3) numbers them.
    enum Level: Int {
        case info = 6
        case warning = 4
        case error = 3
    }

    /// Characters of a line: the longest of ours are lists of a few names, and peers must not fill the disk with theirs.
    private static let limit = 4096

    private let now: () -> UInt64
    private let journal: JournalSocket?
    private let about: [LogField]

    /// - Parameters:
    ///   - journal: where entries go instead of stderr.
    ///   - now: milliseconds since 1970.
    ///   - about: what all lines are about.
    init(journal: JournalSocket?, now: @escaping () -> UInt64, about: [LogField] = []) {
        self.journal = journal
        self.now = now
        self.about = about
    }

    /// The same log for one who speaks of one thing only.
    func about(_ fields: LogField...) -> Log { Log(journal: journal, now: now, about: about + fields) }

    func info(_ text: String, _ fields: LogField?...) { write(.info, text, fields) }
    func warning(_ text: String, _ fields: LogField?...) { write(.warning, text, fields) }
    func error(_ text: String, _ fields: LogField?...) { write(.error, text, fields) }

    private func write(_ level: Level, _ text: String, _ fields: [LogField?]) {
        let safe = String(text.unicodeScalars.prefix(Self.limit).map { $0.steersText ? " " : Character($0) })
        if let journal {
            let entry =
                [
                    ("MESSAGE", safe), ("PRIORITY", String(level.rawValue)),
                    ("SYSLOG_IDENTIFIER", "contactsyncd"),
                ]
                + (about + fields.compactMap { $0 }).map { ($0.name, $0.value) }
            if journal.write(entry) { return }
        }
        // What the journal's socket does not take it reads from stderr, with its level in front (sd-daemon(3)).
        let mark = journal == nil ? Timestamp.text(now()) + " " : "<\(level.rawValue)>"
        let bytes = Array((mark + safe + "\n").utf8)
        // A log that cannot be written is no reason to stop.
        _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(2, $0.baseAddress, $0.count) }
    }
}
