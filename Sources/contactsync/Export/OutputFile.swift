import Glibc

/// A file that is there whole or not at all.
enum OutputFile {
    /// Writes beside the name and then takes its place; an old file of that name is replaced.
    static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
        let temporary = path + ".part"
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(path) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { bytes in
                unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return try giveUp(path, temporary, descriptor) }
            rest = rest.dropFirst(count)
        }
        guard fsync(descriptor) == 0 else { return try giveUp(path, temporary, descriptor) }
        close(descriptor)
        guard unsafe rename(temporary, path) == 0 else { throw failure(path) }
    }

    private static func giveUp(_ path: String, _ temporary: String, _ descriptor: CInt) throws(Failure) {
        let failure = failure(path)
        close(descriptor)
        unsafe unlink(temporary)
        throw failure
    }

    private static func failure(_ path: String) -> Failure {
        let reason = unsafe String(cString: strerror(errno))
        return Failure(.no, "\(path) cannot be written: \(reason). Choose another --out")
    }
}
