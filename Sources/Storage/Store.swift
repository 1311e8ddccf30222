package import AddressBook
package import JSON

/// Everything a daemon must still know after a power cut, in one SQLite file (DESIGN.md 6).
///
/// It belongs to the loop's thread, reads through a connection of its own, and gives the `writer` away to the pool. A
/// read sees what was committed before it, whole batches only. It must be closed before it goes.
package final class Store {
    /// What commits; the one part that other threads may use.
    package let writer: WriteHandle
    let reader: Database
    let hash: HashFunction
    private let lock: DirectoryLock
    private var isOpen = true

    private init(writer: WriteHandle, reader: Database, hash: HashFunction, lock: DirectoryLock) {
        self.writer = writer
        self.reader = reader
        self.hash = hash
        self.lock = lock
    }

    deinit { precondition(!isOpen, "a store is closed before it goes") }

    /// Opens the store in a state directory, which is made if missing, with the tables of this version.
    ///
    /// - Throws: `alreadyRunning` while another daemon has the directory, `fromTheFuture` for a database that a later
    ///   program wrote, `malformed` for one that is broken (see `setAside`).
    package static func open(directory: String, hash: HashFunction) throws(StorageError) -> Store {
        let directory = StateDirectory(path: directory)
        try directory.prepare()
        let lock = try DirectoryLock(directory: directory.path)
        do throws(StorageError) {
            let writer = try WriteHandle(path: directory.database, hash: hash)
            do throws(StorageError) {
                let reader = try Database(path: directory.database, readOnly: true)
                do throws(StorageError) {
                    // As the writer's; see there.
                    try reader.script("PRAGMA cache_size = -2000; PRAGMA mmap_size = 0")
                } catch {
                    reader.close()
                    throw error
                }
                return Store(writer: writer, reader: reader, hash: hash, lock: lock)
            } catch {
                writer.close()
                throw error
            }
        } catch {
            lock.release()
            throw error
        }
    }

    /// Moves a malformed database out of the way, under a name that ends in `broken-TIME`, so that the next `open`
    /// begins with a new one. No store of the directory may be open.
    ///
    /// - Parameter now: milliseconds since 1970.
    /// - Returns: where it is now.
    @discardableResult
    package static func setAside(directory: String, now: UInt64) throws(StorageError) -> String {
        let lock = try DirectoryLock(directory: directory)
        defer { lock.release() }
        return try StateDirectory(path: directory).setAside(now: now)
    }

    /// Ends both connections and the claim on the directory; waits for a commit that is under way. A second call does
    /// nothing.
    package func close() {
        guard isOpen else { return }
        isOpen = false
        // The writer last: who closes last moves the log into the database, and the reader may not write.
        reader.close()
        writer.close()
        lock.release()
    }

    /// The number of a book, made if it is new. For the start: it waits for a commit that is under way.
    package func book(named name: String) throws(StorageError) -> BookID { try writer.book(named: name) }

    /// Names the start of the daemon whose commits follow: their feed positions carry its replica ID as mark.
    ///
    /// To be called before the first record is committed, and again when the daemon takes a new replica ID.
    package func recordStart(replica: UInt64) { writer.recordStart(replica: replica) }
}
