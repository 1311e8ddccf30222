/// The machine refused an operation on a book's directory, its trash or its watch.
package struct DirectoryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was tried, as a system call's name or a few words.
    package let operation: String
    /// The file or directory it was tried on.
    package let path: String
    /// The error number, as in errno(3).
    package let errno: CInt

    package init(operation: String, path: String, errno: CInt) {
        self.operation = operation
        self.path = path
        self.errno = errno
    }

    /// One sentence for the log and the status.
    package var description: String { "\(operation) \(path): \(Errno(errno))" }
}

/// Names the operation and the path of what fails inside.
func during<T>(_ operation: String, _ path: String, _ body: () throws(Errno) -> T) throws(DirectoryError) -> T
{
    do { return try body() } catch {
        throw DirectoryError(operation: operation, path: path, errno: error.code)
    }
}
