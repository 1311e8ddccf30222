import Glibc

/// The file that holds the machine's private key.
///
/// It is made once and never replaced: a machine that lost its key is another machine to its peers, and only a
/// person can decide that.
struct KeyFile {
    let directory: String

    var path: String { directory + "/key.pem" }

    /// Bytes; a key has about 120.
    static let sizeLimit = 16_384

    /// Whether the directory, if there is one, is its owner's alone: whoever may write in it can put a key of his own there.
    ///
    /// - Throws: if it is not, with the command that mends it.
    func checkDirectory() throws(TLSError) {
        var info = stat()
        guard unsafe stat(directory, &info) == 0 else {
            if errno == ENOENT { return }
            throw failure("cannot look at the directory of")
        }
        guard info.st_mode & 0o077 == 0 else {
            throw TLSError(
                "\(directory) can be opened by others than its owner; mend it with: chmod 700 \(directory)"
            )
        }
    }

    /// The content, or nil if there is no such file.
    ///
    /// - Throws: if it cannot be read, is no plain file, is larger than the limit, or others may open it.
    func read() throws(TLSError) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("cannot open")
        }
        defer { close(descriptor) }
        var info = stat()
        guard unsafe fstat(descriptor, &info) == 0 else { throw failure("cannot look at") }
        guard info.st_mode & S_IFMT == S_IFREG else { throw TLSError("\(path) is no plain file") }
        guard info.st_mode & 0o077 == 0 else {
            throw TLSError("\(path) can be opened by others than its owner; mend it with: chmod 600 \(path)")
        }
        guard info.st_size <= off_t(KeyFile.sizeLimit) else {
            throw TLSError("\(path) is too large for a key")
        }
        var content = [UInt8](repeating: 0, count: KeyFile.sizeLimit)
        var filled = 0
        while filled < content.count {
            let count = unsafe content.withUnsafeMutableBytes {
                unsafe Glibc.read(descriptor, $0.baseAddress?.advanced(by: filled), $0.count - filled)
            }
            if count == 0 { break }
            guard count > 0 || errno == EINTR else { throw failure("cannot read") }
            filled += max(0, count)
        }
        return Array(content[..<filled])
    }

    /// Puts the content in place, durably, unless another process was faster.
    ///
    /// The name appears with the whole content or not at all. The content that counts afterwards is what `read`
    /// gives.
    func create(_ content: [UInt8]) throws(TLSError) {
        try makeDirectory(directory)
        let temporary = directory + "/.key.pem.\(String(Random.bits64(), radix: 16))"
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("cannot make") }
        defer { _ = unsafe unlink(temporary) }
        do {
            defer { close(descriptor) }
            let written = unsafe write(descriptor, content, content.count)
            guard written == content.count, fsync(descriptor) == 0 else { throw failure("cannot write") }
        }
        // A rename would put our key in the place of one that another process made meanwhile; a link does not.
        guard unsafe link(temporary, path) == 0 || errno == EEXIST else { throw failure("cannot make") }
        try sync(directory)
    }
}

extension KeyFile {
    /// Makes a directory and those above it, private.
    private func makeDirectory(_ path: String) throws(TLSError) {
        if unsafe mkdir(path, 0o700) == 0 {
            return try sync(KeyFile.parent(of: path))
        }
        if errno == EEXIST { return }
        guard errno == ENOENT, KeyFile.parent(of: path) != path else { throw failure("cannot make") }
        try makeDirectory(KeyFile.parent(of: path))
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure("cannot make") }
        try sync(KeyFile.parent(of: path))
    }

    private func sync(_ directory: String) throws(TLSError) {
        let descriptor = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // A directory that we may pass but not read cannot be synced, and is not ours to worry about.
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw failure("cannot write") }
    }

    private func failure(_ what: String) -> TLSError {
        unsafe TLSError("\(what) \(path): \(String(cString: strerror(errno)))")
    }

    private static func parent(of path: String) -> String {
        var bytes = Array(path.utf8)
        while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return bytes.isEmpty ? "/" : "." }
        return slash == 0 ? "/" : String(decoding: bytes[..<slash], as: UTF8.self)
    }
}
