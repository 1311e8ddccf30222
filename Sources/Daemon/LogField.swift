import Controllers
import JSON
import Replication

/// What a log line is about: a field of the journal, to be searched by.
struct LogField {
    let name: String
    let value: String

    static func session(_ session: SessionID) -> LogField { LogField(name: "SESSION", value: session.text) }

    /// A peer, by the name that the configuration gives it.
    static func peer(_ name: String) -> LogField { LogField(name: "PEER", value: name) }

    static func book(_ name: String) -> LogField { LogField(name: "BOOK", value: name) }

    static func uid(_ uid: UID) -> LogField { LogField(name: "UID", value: uid.text) }
}
