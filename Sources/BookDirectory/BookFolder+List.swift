package import AddressBook
import Glibc

extension BookFolder {
    /// The names that may hold contacts, with their stamps, in no order; nothing is opened.
    ///
    /// Names that are no UTF-8 cannot be told to anybody and are reported apart, their foreign bytes written as
    /// `\xFF`. Other temporary and editor files do not occur.
    package func list() throws(DirectoryError) -> (entries: [DirectoryEntry], unreadableNames: [String]) {
        var unreadable: [String] = []
        var entries: [DirectoryEntry] = []
        let folder = try open()
        for name in try names(folder.number) where Self.isCandidate(bytes: name) {
            guard let text = String(validating: name, as: UTF8.self) else {
                unreadable.append(Self.escaped(name))
                continue
            }
            // A name that went away since is no entry.
            if let entry = try entry(folder.number, text) { entries.append(entry) }
        }
        return (entries, unreadable)
    }

    /// All names of an open directory but `.` and `..`.
    func names(_ folder: CInt) throws(DirectoryError) -> [[UInt8]] {
        // The stream owns a descriptor of its own, closed with it below.
        let copy = openat(folder)
        guard copy >= 0, let stream = unsafe fdopendir(copy) else {
            let failure = errno
            if copy >= 0 { close(copy) }
            throw DirectoryError(operation: "list", path: path, errno: failure)
        }
        defer { unsafe closedir(stream) }
        var names: [[UInt8]] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else { break }
            let name = unsafe Self.name(entry)
            if !name.elementsEqual(".".utf8), !name.elementsEqual("..".utf8) { names.append(name) }
        }
        guard errno == 0 else { throw DirectoryError(operation: "list", path: path, errno: errno) }
        return names
    }

    private func openat(_ folder: CInt) -> CInt {
        unsafe Glibc.openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }

    private static func name(_ entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
        let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 19
        let start = unsafe UnsafeRawPointer(entry) + offset
        let length = unsafe strlen(start.assumingMemoryBound(to: CChar.self))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: length))
    }

    private static func escaped(_ name: [UInt8]) -> String {
        name.reduce(into: "") { text, byte in
            if byte < 0x80 {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "\\x" + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}
