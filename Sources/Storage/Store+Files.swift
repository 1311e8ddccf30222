package import AddressBook
extension Store {
    /// Hands over all files of a book.
    package func eachFile(_ book: BookID, _ body: (FileRow) -> Void) throws(StorageError) {
        try Self.eachFile(book, of: reader, body)
    }

    /// The same on any thread, over a connection of its own.
    package var detachedEachFile: @Sendable (BookID, (FileRow) -> Void) throws(StorageError) -> Void {
        let path = reader.path
        return { book, body throws(StorageError) in
            let database = try Database(path: path, readOnly: true)
            defer { database.close() }
            try Self.eachFile(book, of: database, body)
        }
    }

    private static func eachFile(
        _ book: BookID,
        of database: Database,
        _ body: (FileRow) -> Void
    ) throws(StorageError) {
        // In the order of the table: by the index every row would be a jump.
        try database.query(
            "SELECT name, stamp, state FROM files NOT INDEXED WHERE book = ?",
            [.integer(book)]
        ) {
            body(
                FileRow(
                    book: book,
                    name: $0.text(0),
                    stamp: Packing.numbers($0.bytes(1)),
                    state: $0.bytes(2)
                )
            )
        }
    }

    /// The versions that a file of this name showed, oldest number first.
    package func bases(_ book: BookID, _ name: String) throws(StorageError) -> [BaseRow] {
        var bases: [BaseRow] = []
        try reader.query(
            "SELECT number, time, state FROM bases WHERE book = ? AND name = ? ORDER BY number",
            [.integer(book), .text(name)]
        ) {
            bases.append(
                BaseRow(book: book, name: name, number: $0.integer(0), time: $0.bits(1), state: $0.bytes(2))
            )
        }
        return bases
    }

    /// Hands over all bases of a book, by name and number; they may be too many to hold.
    package func eachBase(_ book: BookID, _ body: (BaseRow) -> Void) throws(StorageError) {
        try reader.query(
            "SELECT name, number, time, state FROM bases WHERE book = ? ORDER BY name, number",
            [.integer(book)]
        ) {
            body(
                BaseRow(
                    book: book,
                    name: $0.text(0),
                    number: $0.integer(1),
                    time: $0.bits(2),
                    state: $0.bytes(3)
                )
            )
        }
    }
}
