import AddressBook
extension BatchWriter {
    func writeFiles(_ batch: Batch) throws(StorageError) {
        for row in batch.removedFiles {
            try database.run(
                "DELETE FROM files WHERE book = ? AND name = ?",
                [.integer(row.book), .text(row.name)]
            )
        }
        for row in batch.files {
            try database.run(
                """
                INSERT INTO files (book, name, stamp, state) VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET stamp = excluded.stamp, state = excluded.state
                """,
                [.integer(row.book), .text(row.name), .blob(Packing.pack(row.stamp)), .blob(row.state)]
            )
        }
    }

    func writeBases(_ batch: Batch) throws(StorageError) {
        for row in batch.removedBases {
            try database.run(
                "DELETE FROM bases WHERE book = ? AND name = ? AND number = ?",
                [.integer(row.book), .text(row.name), .integer(row.number)]
            )
        }
        for row in batch.removedBasesBefore {
            try database.run(
                "DELETE FROM bases WHERE book = ? AND time < ?",
                [.integer(row.book), .number(row.time)]
            )
        }
        for row in batch.bases {
            try database.run(
                """
                INSERT INTO bases (book, name, number, time, state) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET time = excluded.time, state = excluded.state
                """,
                [
                    .integer(row.book), .text(row.name), .integer(row.number), .number(row.time),
                    .blob(row.state),
                ]
            )
        }
    }
}
