import COpenSSL

/// What went wrong with a key, a handshake or a connection, as a sentence.
package struct TLSError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sentence; it names the file or the rule that was broken.
    package let reason: String

    /// The reason.
    package var description: String { reason }

    init(_ reason: String) { self.reason = reason }

    /// OpenSSL's own reason for what just failed, behind ours; takes it out of OpenSSL's queue.
    static func openSSL(_ what: String) -> TLSError {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        guard let text = unsafe ERR_reason_error_string(code) else { return TLSError(what) }
        return TLSError("\(what): \(unsafe String(cString: text))")
    }
}
