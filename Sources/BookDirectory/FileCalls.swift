package import AddressBook
/// The system calls of this room, one closure each, so that a test can fail one or act between two of them.
///
/// Directories are given as open descriptors and files as names in them. Every closure throws what the kernel
/// said. `FileCalls.linux` is the real thing.
package struct FileCalls: Sendable {
    /// How a file is opened.
    package enum Opening: Hashable, Sendable {
        /// For reading; never follows a link, never blocks on a pipe.
        case read
        /// A new one for writing; fails with `EEXIST` if the name is taken.
        case create(mode: UInt32)
    }

    /// What a rename does to the name it goes to.
    package enum Renaming: Hashable, Sendable {
        /// Takes its place, whatever was there.
        case over
        /// Fails with `EEXIST` if it is taken.
        case noReplace
        /// Swaps the two.
        case exchange
    }

    /// Opens a directory by its path.
    package var openFolder: @Sendable (_ path: String) throws(Errno) -> CInt
    /// Opens a file in a directory.
    package var open: @Sendable (_ folder: CInt, _ name: String, _ how: Opening) throws(Errno) -> CInt
    /// fstat(2).
    package var stamp: @Sendable (_ file: CInt) throws(Errno) -> FileStamp
    /// lstat(2) of a name.
    package var lstat: @Sendable (_ folder: CInt, _ name: String) throws(Errno) -> DirectoryEntry
    /// Reads at most `count` bytes from an offset; no bytes mean the end.
    package var read: @Sendable (_ file: CInt, _ offset: Int64, _ count: Int) throws(Errno) -> [UInt8]
    /// Writes all bytes to a new file.
    package var write: @Sendable (_ file: CInt, _ bytes: [UInt8]) throws(Errno) -> Void
    /// fsync(2) of a file or directory.
    package var sync: @Sendable (_ descriptor: CInt) throws(Errno) -> Void
    /// syncfs(2).
    package var syncFileSystem: @Sendable (_ descriptor: CInt) throws(Errno) -> Void
    /// Copies owner, mode and extended attributes, as far as the process may.
    package var copyAttributes: @Sendable (_ from: CInt, _ to: CInt) throws(Errno) -> Void
    /// renameat2(2).
    package var rename:
        @Sendable (_ folder: CInt, _ from: String, _ to: String, _ how: Renaming) throws(Errno) -> Void
    /// linkat(2): a second name for a file.
    package var link: @Sendable (_ folder: CInt, _ from: String, _ to: String) throws(Errno) -> Void
    /// unlinkat(2).
    package var unlink: @Sendable (_ folder: CInt, _ name: String) throws(Errno) -> Void
    /// A read lease; `EAGAIN` while a writer has the file open, another error where none can be had.
    package var takeLease: @Sendable (_ file: CInt) throws(Errno) -> Void
}
