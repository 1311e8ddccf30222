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

extension BookFolder {
    /// Whether a name that has just been made has no save still to end: a link, pipe or directory, which is never
    /// written to, or a file that was complete when it got this name.
    ///
    /// False means that nothing is to be done until the watch reports the end of the save, or that it is gone.
    package func isComplete(_ name: String) throws(DirectoryError) -> Bool {
        let folder = try open()
        guard let entry = try entry(folder.number, name) else { return false }
        guard entry.kind == .file, entry.stamp.size > 0 else { return entry.kind != .file }
        guard let file = try? OpenedFile.open(folder.number, name, calls) else { return true }
        // Where somebody has it open for writing, closing it will be an event.
        do { try calls.takeLease(file.number) } catch { return error != .again }
        return true
    }
}
