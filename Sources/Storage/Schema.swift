/// The tables of the state database and how older ones become new ones.
///
/// Rows are appended under integer keys and uids are found by 64 bits of their hash: random keys of a kilobyte would
/// cost a page each. A record is split in two, so that a start reads the small columns without the bodies. Numbers
/// of 128 bits are two integers, high and low.
enum Schema {
    /// `steps[n]` turns version n into version n + 1. What has been released is never changed, only added to.
    static let steps: [String] = [version1]

    /// Brings the database to the newest version, whole or not at all.
    ///
    /// - Throws: `fromTheFuture` for one that a later program wrote; it is left as it is.
    static func migrate(_ database: Database, steps: [String] = steps) throws(StorageError) {
        // Asked outside the transaction first: one from the future is not even locked.
        guard try version(of: database, known: steps.count) < steps.count else { return }
        try database.transaction { () throws(StorageError) in
            for step in steps[try version(of: database, known: steps.count)...] { try database.script(step) }
            try database.script("PRAGMA user_version = \(steps.count)")
        }
    }

    private static func version(of database: Database, known: Int) throws(StorageError) -> Int {
        let found = try database.search("PRAGMA user_version") { Int($0.integer(0)) } ?? 0
        guard (0...known).contains(found) else {
            throw .fromTheFuture(version: found, known: known, path: database.path)
        }
        return found
    }

    private static let version1 = """
        -- head: the highest sequence number ever committed; it does not go back when a record is removed.
        CREATE TABLE books (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, head INTEGER NOT NULL DEFAULT 0
        ) STRICT;

        -- Which start of the daemon committed the sequence numbers from first_seq on.
        CREATE TABLE starts (
            book INTEGER NOT NULL, first_seq INTEGER NOT NULL, replica INTEGER NOT NULL,
            PRIMARY KEY (book, first_seq)
        ) STRICT, WITHOUT ROWID;

        -- body_*: checksum and length of the body. seal: a checksum of all other columns.
        CREATE TABLE records (
            id INTEGER PRIMARY KEY, book INTEGER NOT NULL,
            uid_high INTEGER NOT NULL, uid_low INTEGER NOT NULL, seq INTEGER NOT NULL,
            digest_high INTEGER NOT NULL, digest_low INTEGER NOT NULL,
            body_high INTEGER NOT NULL, body_low INTEGER NOT NULL, seal INTEGER NOT NULL,
            uid BLOB NOT NULL, origin TEXT, profile BLOB NOT NULL
        ) STRICT;
        CREATE INDEX records_by_uid ON records (book, uid_high);
        CREATE UNIQUE INDEX records_by_seq ON records (book, seq);
        CREATE TABLE bodies (id INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT;

        -- stamp: six numbers of eight bytes.
        CREATE TABLE files (
            id INTEGER PRIMARY KEY, book INTEGER NOT NULL, name TEXT NOT NULL,
            stamp BLOB NOT NULL, state BLOB NOT NULL, UNIQUE (book, name)
        ) STRICT;
        CREATE TABLE bases (
            id INTEGER PRIMARY KEY, book INTEGER NOT NULL, name TEXT NOT NULL, number INTEGER NOT NULL,
            time INTEGER NOT NULL, state BLOB NOT NULL, UNIQUE (book, name, number)
        ) STRICT;
        CREATE INDEX bases_by_time ON bases (book, time);

        CREATE TABLE checkpoints (
            book INTEGER NOT NULL, peer TEXT NOT NULL, seq INTEGER NOT NULL, mark INTEGER NOT NULL,
            PRIMARY KEY (book, peer)
        ) STRICT, WITHOUT ROWID;

        -- fields: netstrings.
        CREATE TABLE history (
            id INTEGER PRIMARY KEY, book INTEGER NOT NULL, uid_high INTEGER NOT NULL, time INTEGER NOT NULL,
            uid BLOB NOT NULL, session TEXT NOT NULL, origin TEXT NOT NULL, what TEXT NOT NULL,
            fields BLOB NOT NULL, peer TEXT
        ) STRICT;
        CREATE INDEX history_by_uid ON history (book, uid_high);

        CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE blobs (
            id INTEGER PRIMARY KEY, book INTEGER NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL,
            value BLOB NOT NULL, UNIQUE (book, kind, key)
        ) STRICT;
        """
}
