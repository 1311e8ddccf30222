import AddressBook
import Glibc

/// The bytes of every file that the daemon removed or replaced, for as long as the owner wants them kept.
///
/// One directory of a book's state, not the book's. An item's ID is its file name there: random digits, a dash, and
/// the name the file had. The time it was kept is its modification time. All functions may be called from any
/// thread.
package struct Trash: Sendable {
    /// The longest file name, in bytes, as on every Linux file system.
    static let maxName = 255

    private let folder: BookFolder

    private var calls: FileCalls { folder.calls }

    /// The directory is made when the first item is kept.
    package init(directory: String, calls: FileCalls = .linux) {
        folder = BookFolder(path: directory, calls: calls)
    }

    /// Keeps the bytes of a file of this name and gives the item's ID; when it returns, they are on the disk.
    package func keep(_ bytes: [UInt8], name: String) throws(DirectoryError) -> String {
        try keep([Item(bytes: bytes, name: name)])[0]
    }

    /// Keeps several with one sync; all of them, or it throws.
    package func keep(_ items: [Item]) throws(DirectoryError) -> [String] {
        guard !items.isEmpty else { return [] }
        let folder = try opened()
        var ids: [String] = []
        do {
            for item in items {
                let id = Self.makeID(item.name)
                try during("write", path(id)) { () throws(Errno) in
                    let file = Descriptor(try calls.open(folder.number, "." + id, .create(mode: 0o600)))
                    ids.append(id)
                    try calls.write(file.number, item.bytes)
                    if items.count == 1 { try calls.sync(file.number) }
                }
            }
            try during("sync", self.folder.path) { () throws(Errno) in
                if items.count > 1 { try calls.syncFileSystem(folder.number) }
                for id in ids { try calls.rename(folder.number, "." + id, id, .over) }
                try calls.sync(folder.number)
            }
        } catch {
            for id in ids { try? calls.unlink(folder.number, "." + id) }
            throw error
        }
        return ids
    }

    /// The bytes of an item.
    package func read(_ id: String) throws(ReadError) -> [UInt8] { try folder.read(id).bytes }

    /// Forgets an item; one that is gone already is no fault.
    package func remove(_ id: String) throws(DirectoryError) {
        BookFolder.checkName(id)
        let folder = try opened()
        try remove(id, folder.number)
    }

    /// All items, the oldest first.
    package func list() throws(DirectoryError) -> [Entry] {
        let folder = try opened()
        return try entries(folder.number).filter { !$0.id.hasPrefix(".") }
    }

    /// Forgets the items kept before a time (nanoseconds since 1970), then the oldest until the rest is no more than
    /// `limit` bytes. Gives the IDs of those forgotten.
    package func prune(olderThan time: Int64, limit: Int64) throws(DirectoryError) -> [String] {
        let folder = try opened()
        let entries = try entries(folder.number)
        var size = entries.reduce(0) { $0 + $1.size }
        var gone: [String] = []
        for entry in entries {
            // One that begins with a dot is being written, or was when we crashed.
            let isUnfinished = entry.id.hasPrefix(".")
            guard entry.kept < time || (size > limit && !isUnfinished) else { continue }
            try remove(entry.id, folder.number)
            size -= entry.size
            if !isUnfinished { gone.append(entry.id) }
        }
        return gone
    }

    private func opened() throws(DirectoryError) -> Descriptor {
        do { return try folder.open() } catch {
            guard error.errno == ENOENT else { throw error }
            try folder.make()
            return try folder.open()
        }
    }

    private func remove(_ id: String, _ folder: CInt) throws(DirectoryError) {
        try during("unlink", path(id)) { () throws(Errno) in
            do throws(Errno) { try calls.unlink(folder, id) } catch {
                guard error == .missing else { throw error }
            }
        }
    }

    private func entries(_ folder: CInt) throws(DirectoryError) -> [Entry] {
        var entries: [Entry] = []
        for name in try self.folder.names(folder) {
            guard let id = String(validating: name, as: UTF8.self) else { continue }
            guard let found = try self.folder.entry(folder, id), found.kind == .file else { continue }
            entries.append(Entry(id: id, size: found.stamp.size, kept: found.stamp.modified))
        }
        return entries.sorted { ($0.kept, $0.id) < ($1.kept, $1.id) }
    }

    private func path(_ id: String) -> String { folder.path(of: id) }

    /// 64 random bits, then the name as far as it fits, with room for the dot of an unfinished one.
    private static func makeID(_ name: String) -> String {
        BookFolder.checkName(name)
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        let prefix = String(repeating: "0", count: 16 - digits.count) + digits + "-"
        return prefix + name.prefix(bytes: maxName - prefix.utf8.count - 1)
    }
}
