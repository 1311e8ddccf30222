import Glibc

/// The claim of one daemon on its state directory: a `flock` on the file `lock` in it, which ends with the process.
struct DirectoryLock {
    private let descriptor: Int32

    /// Takes the claim.
    ///
    /// - Throws: `alreadyRunning` while someone else has it.
    init(directory: String) throws(StorageError) {
        let path = directory + "/lock"
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(operation: "open", path: path, errno: errno) }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            if code == EINTR { continue }
            _ = close(descriptor)
            throw code == EWOULDBLOCK
                ? .alreadyRunning(path: directory)
                : .system(operation: "flock", path: path, errno: code)
        }
    }

    /// Gives the claim back. The file stays: removing it would let two daemons lock two files of one name.
    func release() {
        // Said, and not left to the closing: a program that is being started has a copy of the descriptor for a moment.
        _ = flock(descriptor, LOCK_UN)
        _ = close(descriptor)
    }
}
