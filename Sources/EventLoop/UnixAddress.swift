import CLibUV
import Glibc

/// The address of a Unix socket in the file system.
@safe struct UnixAddress {
    let path: String
    private var address = sockaddr_un()

    /// - Throws: `ENAMETOOLONG` for a path that does not fit (107 bytes on Linux, unix(7)), which libuv would
    ///   cut off silently; `EINVAL` for an empty path or one with a zero byte.
    init(_ path: String, _ operation: String) throws(LoopError) {
        self.path = path
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, !bytes.contains(0) else { throw LoopError(UV_EINVAL, operation) }
        // The zero byte after it has to fit too.
        guard bytes.count < capacity else { throw LoopError(UV_ENAMETOOLONG, operation) }
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    }

    /// A non-blocking stream socket, not bound or connected yet.
    static func makeSocket(_ operation: String) throws(LoopError) -> CInt {
        let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { throw .last(operation) }
        return descriptor
    }

    /// False with `errno` set if the system refuses.
    func bind(_ descriptor: CInt) -> Bool {
        unsafe withPointer { unsafe Glibc.bind(descriptor, $0, $1) } == 0
    }

    /// False with `errno` set if nobody answers at once.
    func connect(_ descriptor: CInt) -> Bool {
        unsafe withPointer { unsafe Glibc.connect(descriptor, $0, $1) } == 0
    }
}

extension UnixAddress {
    private func withPointer(_ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
        unsafe withUnsafeBytes(of: address) { bytes in
            guard let base = bytes.baseAddress else { preconditionFailure("an address is not empty") }
            return unsafe body(base.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
        }
    }
}
