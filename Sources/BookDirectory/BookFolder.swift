package import AddressBook
import Glibc

/// A book's directory, by its path.
///
/// Every operation opens the path anew and works through that descriptor, so a mount over it, or another directory
/// in its place, is noticed by the next one (see `identity`). All functions may be called from any thread.
package struct BookFolder: Sendable {
    /// The most that is read of one file, in bytes: a large array of cards with photos fits, and one file cannot take
    /// the machine's memory.
    package static let maxFileSize: Int64 = 8 << 20

    /// Where the directory is. The last part may be a link, as people put their books where they like.
    package let path: String

    let calls: FileCalls

    package init(path: String, calls: FileCalls = .linux) {
        precondition(!path.isEmpty, "a book's directory has a path")
        self.path = path
        self.calls = calls
    }

    /// Once per process, before the first lease: a writer that opens a leased file must not end us by SIGIO.
    package static func prepareProcess() {
        _ = signal(SIGIO, SIG_IGN)
    }

    /// Makes the directory and those above it where they are missing, for the owner only (0700).
    package func make() throws(DirectoryError) {
        var ends = path.utf8.indices.dropFirst().filter { path.utf8[$0] == UInt8(ascii: "/") }
        ends.append(path.endIndex)
        for end in ends {
            let part = String(path[..<end])
            guard unsafe mkdir(part, 0o700) != 0, errno != EEXIST else { continue }
            throw DirectoryError(operation: "mkdir", path: part, errno: errno)
        }
        _ = try open()
    }

    /// What lies under a name, a link itself rather than what it leads to; nil if nothing does.
    ///
    /// Throws where the machine cannot say, which is no absence.
    package func stat(_ name: String) throws(DirectoryError) -> DirectoryEntry? {
        Self.checkName(name)
        let folder = try open()
        return try entry(folder.number, name)
    }

    /// Opens the directory for one operation.
    func open() throws(DirectoryError) -> Descriptor {
        Descriptor(try during("open", path) { () throws(Errno) in try calls.openFolder(path) })
    }

    /// lstat(2) in the opened directory; nil where there is no such name.
    func entry(_ folder: CInt, _ name: String) throws(DirectoryError) -> DirectoryEntry? {
        do { return try calls.lstat(folder, name) } catch {
            guard error.code != ENOENT else { return nil }
            throw DirectoryError(operation: "stat", path: path(of: name), errno: error.code)
        }
    }

    func path(of name: String) -> String { path + "/" + name }

    /// A name never leaves the directory; one that would is our own mistake.
    static func checkName(_ name: String) {
        precondition(
            !name.isEmpty && name != "." && name != ".." && !name.utf8.contains(UInt8(ascii: "/"))
                && !name.utf8.contains(0),
            "a file name is one part of a path"
        )
    }
}
