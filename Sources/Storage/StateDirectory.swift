import Glibc

/// The directory that holds the database, and the names in it.
struct StateDirectory {
    let path: String

    var database: String { path + "/contactsync.db" }

    /// Makes the directory and those above it where missing, and an empty database file, for the owner only: SQLite
    /// would take the mode from the umask, and gives the file's own to the log and index beside it.
    func prepare() throws(StorageError) {
        var made = ""
        for part in path.split(separator: "/", omittingEmptySubsequences: false) {
            made += part
            if !made.isEmpty, unsafe mkdir(made, 0o700) != 0, errno != EEXIST {
                // EISDIR, EROFS and EACCES also come for a directory that is there.
                let code = errno
                guard unsafe access(made, F_OK) == 0 else {
                    throw .system(operation: "mkdir", path: made, errno: code)
                }
            }
            made += "/"
        }
        let file = unsafe open(database, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .system(operation: "open", path: database, errno: errno) }
        _ = close(file)
        try sync()
    }

    /// Renames the database, and its log and index with it, to names that end in `broken-TIME`.
    ///
    /// - Returns: the new path of the database; `sqlite3` can open it there, log included.
    func setAside(now: UInt64) throws(StorageError) -> String {
        var time = now
        while unsafe access("\(database).broken-\(time)", F_OK) == 0 { time += 1 }
        let target = "\(database).broken-\(time)"
        // The database goes last: its old log beside a new database would be played into that one.
        for suffix in ["-wal", "-shm", ""] {
            guard unsafe rename(database + suffix, target + suffix) != 0, errno != ENOENT else { continue }
            throw .system(operation: "rename", path: database + suffix, errno: errno)
        }
        try sync()
        return target
    }

    /// Makes names that were added or changed last through a power cut.
    private func sync() throws(StorageError) {
        let directory = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw .system(operation: "open", path: path, errno: errno) }
        defer { _ = close(directory) }
        guard fsync(directory) == 0 else { throw .system(operation: "fsync", path: path, errno: errno) }
    }
}
