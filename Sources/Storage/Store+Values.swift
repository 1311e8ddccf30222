package import AddressBook
import JSON
package import Replication

extension Store {
    /// The history of a uid, newest first.
    package func history(_ book: BookID, _ uid: UID, limit: Int) throws(StorageError) -> [HistoryRow] {
        var rows: [HistoryRow] = []
        let bytes = Array(uid.text.utf8)
        try reader.query(
            """
            SELECT time, session, origin, what, fields, peer FROM history
            WHERE book = ? AND uid_high = ? AND uid = ? ORDER BY id DESC LIMIT ?
            """,
            [.integer(book), .bits(hash.hash(bytes).high), .blob(bytes), .integer(Int64(limit))]
        ) {
            rows.append(
                HistoryRow(
                    book: book,
                    uid: uid,
                    time: $0.bits(0),
                    session: $0.text(1),
                    origin: $0.text(2),
                    what: $0.text(3),
                    fields: Packing.texts($0.bytes(4)),
                    peer: $0.optionalText(5)
                )
            )
        }
        return rows
    }

    /// All values of a kind, in the order of the bytes of their keys.
    package func blobs(_ book: BookID, _ kind: String) throws(StorageError) -> [(key: String, value: [UInt8])]
    {
        var found: [(key: String, value: [UInt8])] = []
        try reader.query(
            "SELECT key, value FROM blobs WHERE book = ? AND kind = ? ORDER BY key",
            [.integer(book), .text(kind)]
        ) { found.append(($0.text(0), $0.bytes(1))) }
        return found
    }

    /// One value of a kind.
    package func blob(_ book: BookID, _ kind: String, _ key: String) throws(StorageError) -> [UInt8]? {
        try reader.search(
            "SELECT value FROM blobs WHERE book = ? AND kind = ? AND key = ?",
            [.integer(book), .text(kind), .text(key)]
        ) { $0.bytes(0) }
    }

    /// One value of the whole database.
    package func meta(_ key: String) throws(StorageError) -> [UInt8]? {
        try reader.search("SELECT value FROM meta WHERE key = ?", [.text(key)]) { $0.bytes(0) }
    }

    /// How many rows of each kind a book has.
    package func counts(_ book: BookID) throws(StorageError) -> Counts {
        let found = try reader.search(
            """
            SELECT (SELECT count(*) FROM records WHERE book = ?1), (SELECT count(*) FROM files WHERE book = ?1),
            (SELECT count(*) FROM bases WHERE book = ?1), (SELECT count(*) FROM history WHERE book = ?1)
            """,
            [.integer(book)]
        ) {
            Counts(
                records: Int($0.integer(0)),
                files: Int($0.integer(1)),
                bases: Int($0.integer(2)),
                history: Int($0.integer(3))
            )
        }
        guard let found else { preconditionFailure("counting gives one row") }
        return found
    }
}
