package import AddressBook
import JSON
import Replication

/// The history as one journal of all books, in the order in which it was committed.
extension Store {
    /// The lines after a number, oldest first.
    package func journal(after id: Int64, limit: Int) throws(StorageError) -> [JournalRow] {
        try lines(
            """
            SELECT id, book, uid, time, session, origin, what, fields, peer FROM history
            WHERE id > ? ORDER BY id LIMIT ?
            """,
            id,
            limit
        )
    }

    /// The lines before a number, newest first.
    package func journal(before id: Int64, limit: Int) throws(StorageError) -> [JournalRow] {
        try lines(
            """
            SELECT id, book, uid, time, session, origin, what, fields, peer FROM history
            WHERE id < ? ORDER BY id DESC LIMIT ?
            """,
            id,
            limit
        )
    }

    /// The numbers of the first and the last line; zeros if there is none.
    package func journalEnds() throws(StorageError) -> (first: Int64, last: Int64) {
        try reader.search("SELECT ifnull(min(id), 0), ifnull(max(id), 0) FROM history") {
            ($0.integer(0), $0.integer(1))
        } ?? (0, 0)
    }

    /// The number of the first line at or after a time, in milliseconds since 1970; nil if there is none.
    package func journalStart(at time: UInt64, after id: Int64) throws(StorageError) -> Int64? {
        try reader.search(
            "SELECT id FROM history WHERE id > ? AND time >= ? ORDER BY id LIMIT 1",
            [.integer(id), .number(time)]
        ) { $0.integer(0) }
    }

    private func lines(_ sql: String, _ id: Int64, _ limit: Int) throws(StorageError) -> [JournalRow] {
        var rows: [JournalRow] = []
        try reader.query(sql, [.integer(id), .integer(Int64(limit))]) {
            rows.append(
                JournalRow(
                    id: $0.integer(0),
                    line: HistoryRow(
                        book: $0.integer(1),
                        uid: UID(String(decoding: $0.bytes(2), as: UTF8.self)),
                        time: $0.bits(3),
                        session: $0.text(4),
                        origin: $0.text(5),
                        what: $0.text(6),
                        fields: Packing.texts($0.bytes(7)),
                        peer: $0.optionalText(8)
                    )
                )
            )
        }
        return rows
    }
}
