import CLibUV
import Glibc

/// The machine, or whoever is at the other end, said no to an operation of the loop.
package struct LoopError: Error, Hashable, Sendable, CustomStringConvertible {
    /// libuv's error number: negative, on Linux mostly the negated `errno`.
    package let code: CInt

    /// What was tried, in words that fit before the reason ("connect to desktop.lan:8749").
    package let operation: String

    /// The symbol of the error (`ECONNREFUSED`).
    package let name: String

    /// One line: what was tried, and libuv's text for the reason.
    package var description: String { unsafe "\(operation): \(String(cString: uv_strerror(code)))" }

    init(code: CInt, operation: String) {
        precondition(code < 0, "only a negative code is an error")
        self.code = code
        self.operation = operation
        name = unsafe String(cString: uv_err_name(code))
    }

    init(_ code: uv_errno_t, _ operation: String) {
        self.init(code: code.rawValue, operation: operation)
    }

    /// The error that the last system call left in `errno`.
    static func last(_ operation: String) -> LoopError { LoopError(code: -errno, operation: operation) }

    /// Throws if a libuv call that answered `code` failed.
    static func check(_ code: CInt, _ operation: @autoclosure () -> String) throws(LoopError) {
        guard code < 0 else { return }
        throw LoopError(code: code, operation: operation())
    }
}
