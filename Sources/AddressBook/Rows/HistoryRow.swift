package import Replication

/// One line of a contact's history on this machine.
package struct HistoryRow: Sendable, Hashable {
    /// The book of the contact.
    package var book: BookID
    /// The record it is about.
    package var uid: UID
    /// When, in milliseconds since 1970.
    package var time: UInt64
    /// The session that wrote it.
    package var session: String
    /// Where it came from: directory, peer, command.
    package var origin: String
    /// What was done, in a word.
    package var what: String
    /// The keys of the fields concerned, byte for byte.
    package var fields: [String]
    /// The device it came from, nil for our own.
    package var peer: String?

    /// Makes a row from all its columns.
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
