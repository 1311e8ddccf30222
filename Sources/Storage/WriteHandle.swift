package import AddressBook
import JSON
import Synchronization

/// The connection that writes: may be given to another thread, which commits one batch while the loop goes on.
///
/// It is the one thing of the room that crosses threads. All it owns lies behind a mutex, so that it is `Sendable`
/// by the compiler's own rules, and a second caller waits instead of breaking into a transaction.
package final class WriteHandle: Sendable {
    private let state: Mutex<WriteState>

    init(path: String, hash: HashFunction) throws(StorageError) {
        let database = try Database(path: path)
        do throws(StorageError) {
            try Self.prepare(database)
        } catch {
            database.close()
            throw error
        }
        state = Mutex(WriteState(database: database, hash: hash))
    }

    /// Commits a batch: all of it is on the disk when this returns success, nothing of it after a failure.
    ///
    /// Blocks for as long as the disk needs, so it is called on the pool. After a failure (a full disk) the handle
    /// is as usable as before, and the same batch can be tried again.
    package func commit(_ batch: Batch) -> Result<Void, StorageError> {
        do throws(StorageError) {
            try state.withLock { (state) throws(StorageError) in try state.commit(batch) }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    /// Names the start whose commits follow; see `Store.recordStart`.
    func recordStart(replica: UInt64) { state.withLock { $0.recordStart(replica: replica) } }

    /// The number of a book, made if it is new.
    func book(named name: String) throws(StorageError) -> BookID {
        try state.withLock { (state) throws(StorageError) in try state.book(named: name) }
    }

    /// Ends the connection; waits for a commit that is under way.
    func close() { state.withLock { $0.database.close() } }

    /// Runs statements that are no part of the daemon's work, for tests of what a disk may do.
    func script(_ sql: String) throws(StorageError) {
        try state.withLock { (state) throws(StorageError) in try state.database.script(sql) }
    }

    private static func prepare(_ database: Database) throws(StorageError) {
        // FULL: in WAL mode only that syncs the log at every commit (sqlite.org/pragma.html#pragma_synchronous).
        // A log of 1,000 pages is 4 MB; one that a large import made longer is cut down to 16 MiB again. Caches of
        // 2 MB suffice, as the kernel caches too. No mmap: a disk error would be a signal instead of an error.
        try database.script(
            """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 1000;
            PRAGMA journal_size_limit = 16777216; PRAGMA cache_size = -2000; PRAGMA mmap_size = 0;
            """
        )
        try Schema.migrate(database)
        // Touches the first pages, so that a broken file is found here and not by the first question.
        try database.query("SELECT count(*) FROM sqlite_schema") { _ in }
        try database.query("SELECT name, head FROM books ORDER BY id") { _ in }
    }
}
