import CLibUV
import Glibc

/// A Unix socket's entry in the file system, made by us and removed by us.
///
/// Only a socket that nobody answers on is replaced, never a file of another kind. Whoever looks, replaces and
/// listens holds a lock on the directory meanwhile, so that of two processes that start together one wins.
struct SocketFile {
    let path: String
    private let device: dev_t
    private let inode: ino_t

    /// As many connections may wait to be accepted.
    static let backlog: CInt = 128

    /// Removes the entry if it is still the one that we made.
    func remove() {
        var info = stat()
        guard unsafe lstat(path, &info) == 0, info.st_dev == device, info.st_ino == inode else { return }
        _ = unsafe unlink(path)
    }

    /// Makes a listening socket at `path` that only its owner can open.
    ///
    /// - Throws: `EADDRINUSE` if somebody answers there or it is no socket, `ENAMETOOLONG` if the path does not
    ///   fit into a socket address, or what the system said.
    /// - Returns: the entry, and the socket, which belongs to the caller.
    static func listen(path: String) throws(LoopError) -> (file: SocketFile, descriptor: CInt) {
        let operation = "listen on \(path)"
        let address = try UnixAddress(path, operation)
        let lock = unsafe open(directory(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard lock >= 0 else { throw .last(operation) }
        defer { Glibc.close(lock) }
        guard flock(lock, LOCK_EX) == 0 else { throw .last(operation) }

        let descriptor = try UnixAddress.makeSocket(operation)
        do throws(LoopError) {
            // Linux gives the entry the mode of the socket, so it is private from its first moment.
            guard fchmod(descriptor, 0o600) == 0 else { throw .last(operation) }
            try bind(descriptor, address, operation)
            var info = stat()
            guard unsafe lstat(path, &info) == 0 else { throw .last(operation) }
            let file = SocketFile(path: path, device: info.st_dev, inode: info.st_ino)
            guard Glibc.listen(descriptor, backlog) == 0 else {
                let error = LoopError.last(operation)
                file.remove()
                throw error
            }
            return (file, descriptor)
        } catch {
            Glibc.close(descriptor)
            throw error
        }
    }
}

extension SocketFile {
    private static func bind(
        _ descriptor: CInt,
        _ address: UnixAddress,
        _ operation: String
    ) throws(LoopError) {
        if address.bind(descriptor) { return }
        let error = LoopError.last(operation)
        guard error.code == UV_EADDRINUSE.rawValue, try isStale(address, operation) else { throw error }
        guard unsafe unlink(address.path) == 0 || errno == ENOENT else { throw .last(operation) }
        guard address.bind(descriptor) else { throw .last(operation) }
    }

    /// Whether there is a socket that refuses connections, as one does whose process is gone.
    private static func isStale(_ address: UnixAddress, _ operation: String) throws(LoopError) -> Bool {
        var info = stat()
        guard unsafe lstat(address.path, &info) == 0 else { return errno == ENOENT }
        guard info.st_mode & S_IFMT == S_IFSOCK else { return false }
        let probe = try UnixAddress.makeSocket(operation)
        defer { Glibc.close(probe) }
        return !address.connect(probe) && errno == ECONNREFUSED
    }

    private static func directory(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
