import Glibc

/// What one system call said: its error number.
package struct Errno: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number, as in errno(3); never 0.
    package let code: CInt

    package init(_ code: CInt) { self.code = code }

    /// The number of the call that has just failed on this thread.
    static var current: Errno { Errno(errno) }

    /// Throws the given errno unless it is 0.
    static func check(_ code: CInt) throws(Errno) {
        guard code == 0 else { throw Errno(code) }
    }

    /// The machine's text for it, such as `No space left on device`.
    package var description: String {
        // strerror_r(3), as strerror(3) may be overwritten by another thread.
        let text = unsafe [CChar](unsafeUninitializedCapacity: 128) { buffer, count in
            count = 0
            guard let start = buffer.baseAddress, unsafe strerror_r(code, start, 128) == 0 else {
                return
            }
            count = unsafe strnlen(start, 127)
        }
        guard !text.isEmpty else { return "error \(code)" }
        return String(decoding: text.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether the file system or the kernel does not know the call or its flag.
    var isUnsupported: Bool {
        [EINVAL, ENOSYS, EOPNOTSUPP, ENOTTY].contains(code)
    }

    static let missing = Errno(ENOENT)
    static let exists = Errno(EEXIST)
    static let notPermitted = Errno(EPERM)
    static let again = Errno(EAGAIN)
    static let stale = Errno(ESTALE)
}
