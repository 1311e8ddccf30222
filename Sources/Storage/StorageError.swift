import Glibc

/// What kept the store from doing its work: the machine's or the file's fault, never the caller's.
package enum StorageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// SQLite refused a statement; `code` is its extended result code (https://sqlite.org/rescode.html).
    case failed(code: Int32, message: String, sql: String?, path: String)
    /// The database is no database, or broken inside; see `Store.setAside`.
    case malformed(message: String, path: String)
    /// A later version of the program wrote the database; it is left as it is.
    case fromTheFuture(version: Int, known: Int, path: String)
    /// Another daemon runs on this state directory.
    case alreadyRunning(path: String)
    /// A system call failed with this `errno`.
    case system(operation: String, path: String, errno: Int32)

    /// Whether the disk, or what we may use of it, is full: the same batch can be committed later.
    package var isDiskFull: Bool {
        switch self {
        case .failed(let code, _, _, _): code & 0xFF == Self.full
        case .system(_, _, let errno): Self.noSpace.contains(errno)
        case .malformed, .fromTheFuture, .alreadyRunning: false
        }
    }

    /// What a log says; it ends with what to do where a person can do something.
    package var description: String {
        switch self {
        case .failed(let code, let message, let sql, let path):
            "\(path): \(message) (SQLite \(code))" + (sql.map { " in: \($0)" } ?? "")
        case .malformed(let message, let path):
            "\(path) is damaged: \(message)"
        case .fromTheFuture(let version, let known, let path):
            "\(path) was written by a newer contactsync (version \(version), this one knows \(known)); "
                + "install that one, or move the file away to start anew"
        case .alreadyRunning(let path):
            "another contactsyncd is running on \(path); stop it first, or give this one its own state directory"
        case .system(let operation, let path, let errno):
            "\(operation) \(path) failed: \(unsafe String(cString: strerror(errno)))"
        }
    }

    /// SQLITE_FULL.
    private static let full: Int32 = 13
    /// ENOSPC and EDQUOT of Linux.
    private static let noSpace: Set<Int32> = [28, 122]
}
