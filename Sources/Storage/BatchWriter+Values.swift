import AddressBook
import JSON
import Replication

extension BatchWriter {
    func writeCheckpoints(_ batch: Batch) throws(StorageError) {
        for (book, peer, checkpoint) in batch.checkpoints {
            if let checkpoint {
                try database.run(
                    "REPLACE INTO checkpoints (book, peer, seq, mark) VALUES (?, ?, ?, ?)",
                    [.integer(book), .text(peer), .bits(checkpoint.seq), .bits(checkpoint.mark)]
                )
            } else {
                try database.run(
                    "DELETE FROM checkpoints WHERE book = ? AND peer = ?",
                    [.integer(book), .text(peer)]
                )
            }
        }
    }

    func writeHistory(_ batch: Batch) throws(StorageError) {
        for row in batch.removedHistoryBefore {
            // The newest line stays, so that no number is ever given a second time.
            try database.run(
                """
                DELETE FROM history WHERE book = ? AND time < ? AND id < (SELECT max(id) FROM history)
                """,
                [.integer(row.book), .number(row.time)]
            )
        }
        for row in batch.history {
            let uid = Array(row.uid.text.utf8)
            try database.run(
                """
                INSERT INTO history (book, uid_high, time, uid, session, origin, what, fields, peer)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    .integer(row.book), .bits(hash.hash(uid).high), .number(row.time), .blob(uid),
                    .text(row.session), .text(row.origin), .text(row.what), .blob(Packing.pack(row.fields)),
                    .text(orNull: row.peer),
                ]
            )
        }
    }

    func writeValues(_ batch: Batch) throws(StorageError) {
        for (key, value) in batch.meta {
            if let value {
                try database.run("REPLACE INTO meta (key, value) VALUES (?, ?)", [.text(key), .blob(value)])
            } else {
                try database.run("DELETE FROM meta WHERE key = ?", [.text(key)])
            }
        }
        for (book, kind, key, value) in batch.blobs {
            let place: [SQLValue] = [.integer(book), .text(kind), .text(key)]
            if let value {
                try database.run(
                    """
                    INSERT INTO blobs (book, kind, key, value) VALUES (?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET value = excluded.value
                    """,
                    place + [.blob(value)]
                )
            } else {
                try database.run("DELETE FROM blobs WHERE book = ? AND kind = ? AND key = ?", place)
            }
        }
    }
}
