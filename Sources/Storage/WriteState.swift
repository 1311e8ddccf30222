import AddressBook
import JSON

/// What the writer owns: its connection, and which start of the daemon the commits belong to.
struct WriteState {
    let database: Database
    let hash: HashFunction
    /// The start that commits; nil until it is recorded.
    private var replica: UInt64?
    /// The books in which this start has left its mark.
    private var marked: Set<BookID> = []

    init(database: Database, hash: HashFunction) {
        self.database = database
        self.hash = hash
    }

    mutating func recordStart(replica: UInt64) {
        self.replica = replica
        marked = []
    }

    mutating func commit(_ batch: Batch) throws(StorageError) {
        guard !batch.isEmpty else { return }
        let writer = BatchWriter(database: database, hash: hash)
        let starting = batch.records.reduce(into: [BookID: UInt64]()) { first, row in
            precondition(row.seq > 0, "sequence numbers begin with 1")
            if !marked.contains(row.book) { first[row.book] = min(first[row.book] ?? row.seq, row.seq) }
        }
        let replica = self.replica
        try database.transaction { () throws(StorageError) in
            for (book, seq) in starting.sorted(by: { $0.key < $1.key }) {
                guard let replica else { preconditionFailure("a record is committed under a recorded start") }
                // A batch may hold records that did not move (a new origin only): the mark begins after the head.
                try database.run(
                    """
                    INSERT INTO starts (book, first_seq, replica)
                    SELECT id, max(head + 1, ?), ? FROM books WHERE id = ?
                    ON CONFLICT DO UPDATE SET replica = excluded.replica
                    """,
                    [.number(seq), .bits(replica), .integer(book)]
                )
            }
            try writer.write(batch)
        }
        // Only now: a commit that failed has left no mark.
        marked.formUnion(starting.keys)
    }

    func book(named name: String) throws(StorageError) -> BookID {
        try database.transaction { () throws(StorageError) in
            try database.run("INSERT OR IGNORE INTO books (name) VALUES (?)", [.text(name)])
            let found = try database.search("SELECT id FROM books WHERE name = ?", [.text(name)]) {
                $0.integer(0)
            }
            guard let found else { preconditionFailure("a book is found after it was made") }
            return found
        }
    }
}
