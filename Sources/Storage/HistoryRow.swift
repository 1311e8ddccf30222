package import Replication

/// One line of a contact's history on this machine.
package struct HistoryRow: Sendable, Hashable {
    package var book: BookID
    package var uid: UID
    /// When, in milliseconds since 1970.
    package var time: UInt64
    package var session: String
    /// Where it came from: directory, peer, command.
    package var origin: String
    package var what: String
    /// The keys of the fields concerned, byte for byte.
    package var fields: [String]
    /// The device it came from, nil for our own.
    package var peer: String?

    package init(
        book: BookID,
        uid: UID,
        time: UInt64,
        session: String,
        origin: String,
        what: String,
        fields: [String],
        peer: String? = nil
    ) {
        self.book = book
        self.uid = uid
        self.time = time
        self.session = session
        self.origin = origin
        self.what = what
        self.fields = fields
        self.peer = peer
    }
}
