import CSQLite

/// One prepared statement of a `Database`, which finalizes it before it closes.
///
/// While a query runs it is also the current row: the column readers are valid in the row closure only.
@safe
final class Statement {
    let sql: String
    private let handle: OpaquePointer
    /// Whether a query is under way; running it inside itself would lose the outer one's place.
    private(set) var isRunning = false

    init(_ handle: OpaquePointer, sql: String) {
        unsafe self.handle = handle
        self.sql = sql
    }

    /// Binds all parameters, in order.
    ///
    /// - Returns: the first result code that is not SQLITE_OK, or SQLITE_OK.
    func begin(_ values: [SQLValue]) -> Int32 {
        precondition(!isRunning, "a query does not run inside itself: \(sql)")
        let wanted = unsafe Int(sqlite3_bind_parameter_count(handle))
        precondition(values.count == wanted, "every parameter has a value: \(sql)")
        isRunning = true
        for (n, value) in values.enumerated() {
            let code = bind(value, at: Int32(n + 1))
            guard code == SQLITE_OK else { return code }
        }
        return SQLITE_OK
    }

    /// Moves to the next row: SQLITE_ROW, SQLITE_DONE, or an error.
    func step() -> Int32 { unsafe sqlite3_step(handle) }

    /// Ends the query: frees what was bound and lets go of the read snapshot. Its code repeats that of `step`.
    func end() {
        _ = unsafe sqlite3_reset(handle)
        _ = unsafe sqlite3_clear_bindings(handle)
        isRunning = false
    }

    /// Ends the statement itself; it must not be used afterwards.
    func finalize() { _ = unsafe sqlite3_finalize(handle) }

    func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

    func bits(_ column: Int32) -> UInt64 { UInt64(bitPattern: integer(column)) }

    func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

    func bytes(_ column: Int32) -> [UInt8] {
        // The order matters: column_blob may convert, column_bytes then counts the result (sqlite.org/c3ref).
        guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
        let count = unsafe Int(sqlite3_column_bytes(handle, column))
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Text, also one that was stored as a blob; what is not UTF-8 is repaired, as only damage makes it so.
    func text(_ column: Int32) -> String {
        guard let start = unsafe sqlite3_column_blob(handle, column) else { return "" }
        let count = unsafe Int(sqlite3_column_bytes(handle, column))
        return unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }

    func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    private func bind(_ value: SQLValue, at index: Int32) -> Int32 {
        switch value {
        case .null: return unsafe sqlite3_bind_null(handle, index)
        case .integer(let number): return unsafe sqlite3_bind_int64(handle, index, number)
        case .blob(let bytes):
            return unsafe bytes.withUnsafeBytes { bytes in
                unsafe csqlite_bind_blob(handle, index, bytes.baseAddress, UInt64(bytes.count))
            }
        case .text(var text):
            return text.withUTF8 { bytes in
                unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
                    unsafe csqlite_bind_text(handle, index, bytes.baseAddress, UInt64(bytes.count))
                }
            }
        }
    }
}
