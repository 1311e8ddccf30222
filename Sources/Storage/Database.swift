import CSQLite

/// One connection to one SQLite file, used by one thread at a time.
///
/// It owns the C connection and every statement prepared on it; `close` ends both. Statements are kept by their
/// text, so SQL must come from a fixed set of literals, never be built from data.
@safe
final class Database {
    /// How long to wait for another process (a person's `sqlite3` shell) to let go of its lock, in milliseconds.
    static let busyTimeout: Int32 = 5000

    let path: String
    /// Nil once closed.
    private var connection: OpaquePointer?
    private var statements: [String: Statement] = [:]

    /// Opens the file, made if missing unless `readOnly`.
    ///
    /// - Parameter isStill: whether nobody writes meanwhile, so that not even the files beside it are made.
    init(path: String, readOnly: Bool = false, isStill: Bool = false) throws(StorageError) {
        self.path = path
        var opened: OpaquePointer?
        // https://sqlite.org/uri.html
        let name = isStill ? "file:\(Self.escaped(path))?immutable=1" : path
        // One thread at a time is our promise (a mutex around the writer, the loop's thread for the reader).
        let mode = readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let kind = isStill ? SQLITE_OPEN_URI : 0
        let code = unsafe sqlite3_open_v2(name, &opened, mode | kind | SQLITE_OPEN_NOMUTEX, nil)
        unsafe connection = opened
        guard code == SQLITE_OK else {
            let failure = error(code, sql: nil)
            close()
            throw failure
        }
        _ = unsafe sqlite3_extended_result_codes(opened, 1)
        _ = unsafe sqlite3_busy_timeout(opened, Self.busyTimeout)
    }

    deinit { precondition(unsafe connection == nil, "a database is closed before it goes") }

    /// Runs a statement and hands each row to `row`, in which the columns can be read.
    func query(
        _ sql: String,
        _ values: [SQLValue] = [],
        row: (Statement) throws(StorageError) -> Void
    ) throws(StorageError) {
        _ = try search(sql, values) { (statement) throws(StorageError) -> Void? in
            try row(statement)
            return nil
        }
    }

    /// Runs a statement until `row` answers something other than nil.
    func search<Answer>(
        _ sql: String,
        _ values: [SQLValue] = [],
        row: (Statement) throws(StorageError) -> Answer?
    ) throws(StorageError) -> Answer? {
        let statement = try prepared(sql)
        let bound = statement.begin(values)
        defer { statement.end() }
        guard bound == SQLITE_OK else { throw error(bound, sql: sql) }
        while true {
            switch statement.step() {
            case SQLITE_ROW: if let answer = try row(statement) { return answer }
            case SQLITE_DONE: return nil
            case let code: throw error(code, sql: sql)
            }
        }
    }

    /// Runs a statement for what it does.
    func run(_ sql: String, _ values: [SQLValue] = []) throws(StorageError) {
        try query(sql, values) { _ in }
    }

    /// Runs several statements, separated by semicolons, that are needed once.
    func script(_ sql: String) throws(StorageError) {
        let code = unsafe sqlite3_exec(connection, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code, sql: sql) }
    }

    /// Carries out `body` whole or not at all; what it throws is passed on after the rollback.
    func transaction<Result>(_ body: () throws(StorageError) -> Result) throws(StorageError) -> Result {
        // IMMEDIATE: a lock held by someone else is met here, not half-way.
        try run("BEGIN IMMEDIATE")
        do throws(StorageError) {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // After some errors (disk full) SQLite has rolled back already; then there is nothing left to end.
            if unsafe sqlite3_get_autocommit(connection) == 0 {
                _ = unsafe sqlite3_exec(connection, "ROLLBACK", nil, nil, nil)
            }
            throw error
        }
    }

    /// Forgets pages that were read, so that what is read next comes from the file.
    func forgetPages() { _ = unsafe sqlite3_db_release_memory(connection) }

    /// The key of the row appended last.
    var lastRow: Int64 { unsafe sqlite3_last_insert_rowid(connection) }

    /// Ends all statements and the connection; a second call does nothing.
    func close() {
        guard let open = unsafe connection else { return }
        for statement in statements.values { statement.finalize() }
        statements = [:]
        unsafe connection = nil
        precondition(
            unsafe sqlite3_close(open) == SQLITE_OK,
            "nothing of a database is in use when it closes"
        )
    }

    /// A path as a URI has it.
    private static func escaped(_ path: String) -> String {
        path.utf8.reduce(into: "") { out, byte in
            let isPlain = (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2F
            out +=
                isPlain
                ? String(Unicode.Scalar(byte)) : "%" + String(UInt16(byte) + 0x100, radix: 16).dropFirst()
        }
    }

    private func prepared(_ sql: String) throws(StorageError) -> Statement {
        precondition(unsafe connection != nil, "a closed database is not used")
        if let known = statements[sql] { return known }
        var handle: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            connection,
            sql,
            -1,
            UInt32(SQLITE_PREPARE_PERSISTENT),
            &handle,
            nil
        )
        guard code == SQLITE_OK, let handle = unsafe handle else { throw error(code, sql: sql) }
        let statement = unsafe Statement(handle, sql: sql)
        statements[sql] = statement
        return statement
    }

    private func error(_ code: Int32, sql: String?) -> StorageError {
        let message = unsafe String(cString: sqlite3_errmsg(connection))
        switch code & 0xFF {
        case SQLITE_CORRUPT, SQLITE_NOTADB: return .malformed(message: message, path: path)
        default: return .failed(code: code, message: message, sql: sql, path: path)
        }
    }
}
