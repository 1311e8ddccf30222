import AddressBook
import JSON
import Replication

/// Writes the parts of a batch, inside a transaction that its caller owns.
struct BatchWriter {
    let database: Database
    let hash: HashFunction

    func write(_ batch: Batch) throws(StorageError) {
        try writeRecords(batch)
        try writeFiles(batch)
        try writeBases(batch)
        try writeCheckpoints(batch)
        try writeHistory(batch)
        try writeValues(batch)
    }

    private func writeRecords(_ batch: Batch) throws(StorageError) {
        for row in batch.removedRecords {
            guard let id = try find(row.book, row.uid, row.uidHash) else { continue }
            try database.run("DELETE FROM records WHERE id = ?", [.integer(id)])
            try database.run("DELETE FROM bodies WHERE id = ?", [.integer(id)])
        }
        for row in batch.records { try write(row) }
        let heads = batch.records.reduce(into: [BookID: UInt64]()) { heads, row in
            heads[row.book] = max(heads[row.book] ?? 0, row.seq)
        }
        for (book, head) in heads {
            try database.run(
                "UPDATE books SET head = max(head, ?) WHERE id = ?",
                [.number(head), .integer(book)]
            )
        }
    }

    /// A changed record keeps its key, so that its pages are written in place.
    private func write(_ row: RecordRow) throws(StorageError) {
        let body = Seal.of(row.body)
        let seal = Seal(
            book: row.book,
            uid: row.uid,
            uidHash: row.uidHash,
            seq: row.seq,
            digest: row.digest,
            body: body,
            profile: row.profile,
            origin: row.origin
        )
        let values: [SQLValue] = [
            .number(row.seq), .bits(row.digest.high), .bits(row.digest.low), .bits(body.high),
            .bits(body.low),
            .bits(seal.value), .text(orNull: row.origin), .blob(row.profile),
        ]
        if let id = try find(row.book, row.uid, row.uidHash) {
            try database.run(
                """
                UPDATE records SET seq = ?, digest_high = ?, digest_low = ?, body_high = ?, body_low = ?,
                seal = ?, origin = ?, profile = ? WHERE id = ?
                """,
                values + [.integer(id)]
            )
            // Not UPDATE: a body that damage took away comes back.
            try database.run("REPLACE INTO bodies (id, body) VALUES (?, ?)", [.integer(id), .blob(row.body)])
        } else {
            try database.run(
                """
                INSERT INTO records (seq, digest_high, digest_low, body_high, body_low, seal, origin, profile,
                book, uid_high, uid_low, uid) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                values + [
                    .integer(row.book), .bits(row.uidHash.high), .bits(row.uidHash.low),
                    .blob(Array(row.uid.text.utf8)),
                ]
            )
            try database.run(
                "REPLACE INTO bodies (id, body) VALUES (?, ?)",
                [.integer(database.lastRow), .blob(row.body)]
            )
        }
    }

    private func find(_ book: BookID, _ uid: UID, _ uidHash: ContentHash) throws(StorageError) -> Int64? {
        try database.search(
            "SELECT id FROM records WHERE book = ? AND uid_high = ? AND uid = ?",
            [.integer(book), .bits(uidHash.high), .blob(Array(uid.text.utf8))]
        ) { $0.integer(0) }
    }
}
