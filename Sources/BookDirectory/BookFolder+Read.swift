package import AddressBook
import Glibc

extension BookFolder {
    /// The bytes of a file and the stamp they were read under.
    ///
    /// Throws what keeps it from being read; a link, pipe or directory is not opened.
    package func read(_ name: String) throws(ReadError) -> (bytes: [UInt8], stamp: FileStamp) {
        Self.checkName(name)
        let folder: Descriptor
        do { folder = try open() } catch {
            // The directory is gone or closed to us, which says nothing about this file.
            throw ReadError(name: name, reason: .unreadable(error.errno))
        }
        let file = try OpenedFile(folder.number, name, calls)
        return (file.bytes, file.stamp)
    }
}
