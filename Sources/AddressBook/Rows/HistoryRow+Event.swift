import JSON
import Replication

extension HistoryRow {
    /// A line of the journal about no single record: persons that came together, a file, a peer.
    ///
    /// It lies under the empty uid, which no contact has, and its `fields` are names and values in turn.
    ///
    /// - Parameters:
    ///   - book: nil for what is about no book.
    ///   - time: milliseconds since 1970.
    package init(
        event: String,
        book: BookID?,
        time: UInt64,
        session: String = "",
        peer: String? = nil,
        _ details: [(name: String, value: String)]
    ) {
        self.init(
            book: book ?? Self.noBook,
            uid: UID(""),
            time: time,
            session: session,
            origin: "",
            what: event,
            fields: details.flatMap { [$0.name, $0.value] },
            peer: peer
        )
    }

    /// The number under which lines about no book lie; books count from 1.
    package static let noBook: BookID = 0

    /// What it says beside the columns, of a line about no single record; nil for one about a record.
    package var details: [(name: String, value: String)]? {
        guard uid.isBook else { return nil }
        return stride(from: 0, to: fields.count - 1, by: 2).map { (fields[$0], fields[$0 + 1]) }
    }
}

/// A line of the journal and its number; later lines have greater numbers.
package struct JournalRow: Sendable, Hashable {
    package var id: Int64
    package var line: HistoryRow

    package init(id: Int64, line: HistoryRow) {
        self.id = id
        self.line = line
    }
}
