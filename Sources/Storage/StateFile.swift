import Glibc

/// A small file of the state directory beside the database, which a lost or damaged database does not take along.
///
/// It is replaced whole or not at all, and then durable.
package struct StateFile: Sendable {
    /// Bytes; more is no file of ours.
    package static let sizeLimit = 4 << 20

    package let path: String

    /// - Parameter directory: the state directory; it is there.
    package init(_ name: String, in directory: String) { path = directory + "/" + name }

    /// The content, or nil if there is no such file.
    package func read() throws(StorageError) -> [UInt8]? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("open")
        }
        defer { _ = close(file) }
        var content = [UInt8](repeating: 0, count: Self.sizeLimit + 1)
        var filled = 0
        while filled < content.count {
            let count = unsafe content.withUnsafeMutableBytes {
                unsafe Glibc.read(file, $0.baseAddress?.advanced(by: filled), $0.count - filled)
            }
            if count == 0 { break }
            guard count > 0 || errno == EINTR else { throw failure("read") }
            filled += max(0, count)
        }
        guard filled <= Self.sizeLimit else {
            throw .system(operation: "read", path: path, errno: EFBIG)
        }
        return Array(content[..<filled])
    }

    /// Puts a content in the place of the old one.
    ///
    /// - Throws: what the disk says; the old content is still there then.
    package func write(_ content: [UInt8]) throws(StorageError) {
        let temporary = path + ".new"
        let file = unsafe open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure("open") }
        do {
            defer { _ = close(file) }
            let written = unsafe Glibc.write(file, content, content.count)
            // A disk that takes a part is full.
            guard written >= 0 else { throw failure("write") }
            guard written == content.count else {
                throw .system(operation: "write", path: temporary, errno: ENOSPC)
            }
            guard fsync(file) == 0 else { throw failure("fsync") }
        }
        guard unsafe rename(temporary, path) == 0 else { throw failure("rename") }
        let directory = unsafe open(
            String(
                decoding: path.utf8.prefix(upTo: path.utf8.lastIndex(of: 0x2F) ?? path.startIndex),
                as: UTF8.self
            ),
            O_RDONLY | O_DIRECTORY | O_CLOEXEC
        )
        guard directory >= 0 else { throw failure("open the directory of") }
        defer { _ = close(directory) }
        guard fsync(directory) == 0 else { throw failure("fsync the directory of") }
    }

    private func failure(_ operation: String) -> StorageError {
        .system(operation: operation, path: path, errno: errno)
    }
}
