import Glibc

/// Looking at a state directory from outside, beside a daemon or without one.
extension Store {
    /// Where the database of a state directory is.
    package static func database(in directory: String) -> String { StateDirectory(path: directory).database }

    /// What is wrong with a database, as SQLite's quick check and the version say; nothing if all is well.
    ///
    /// It is opened for reading only. It may take seconds for a large book.
    package static func check(directory: String) -> [String] {
        do throws(StorageError) {
            let path = database(in: directory)
            let isStill = unsafe !isInUse(directory: directory) && access(path + "-wal", F_OK) != 0
            let database = try Database(path: path, readOnly: true, isStill: isStill)
            defer { database.close() }
            var flaws: [String] = []
            // https://sqlite.org/pragma.html#pragma_quick_check: one row, `ok`, or a row a flaw.
            try database.query("PRAGMA quick_check(3)") { row in
                if row.text(0) != "ok" { flaws.append(row.text(0)) }
            }
            return flaws
        } catch {
            switch error {
            case .malformed(let message, _), .failed(_, let message, _, _): return [message]
            case .fromTheFuture, .alreadyRunning, .system: return [error.description]
            }
        }
    }

    /// Whether a daemon runs on a state directory.
    package static func isInUse(directory: String) -> Bool {
        let file = unsafe Glibc.open(directory + "/lock", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { _ = Glibc.close(file) }
        return flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }
}
