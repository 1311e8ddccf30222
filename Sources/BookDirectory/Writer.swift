package import AddressBook
package import JSON

/// Changes files of a book so that no save of anybody else is overwritten unseen and no crash leaves half a file.
///
/// All functions block on the disk and may run on any thread, one at a time for a book. The facets are in files of
/// their own: `write`, `remove`, `settle`, `recover`.
package struct Writer: Sendable {
    /// The book's directory.
    package let folder: BookFolder
    /// The directory as it was recognized; where another lies at the path by now, nothing is touched. Nil: any.
    package let identity: FolderIdentity?
    /// Where the bytes go that are replaced or removed.
    package let trash: Trash
    let hash: HashFunction

    var calls: FileCalls { folder.calls }

    package init(folder: BookFolder, identity: FolderIdentity?, trash: Trash, hash: HashFunction) {
        self.folder = folder
        self.identity = identity
        self.trash = trash
        self.hash = hash
    }

    /// Opens the directory, if it is the one that is meant.
    func open() throws(DirectoryError) -> Descriptor {
        let descriptor = try folder.open()
        if let identity {
            let now = try during("stat", folder.path) { () throws(Errno) in try calls.stamp(descriptor.number)
            }
            guard now.device == identity.device, now.inode == identity.inode else {
                throw DirectoryError(operation: "recognize", path: folder.path, errno: Errno.stale.code)
            }
        }
        return descriptor
    }

    func targetHash(_ name: String) -> ContentHash { hash.hash(Array(name.utf8)) }

    /// Opens and reads a file of the opened directory.
    func read(_ folder: CInt, _ name: String) throws(ReadError) -> Sighting {
        let file = try OpenedFile(folder, name, calls)
        return Sighting(stamp: file.stamp, hash: hash.hash(file.bytes), bytes: file.bytes)
    }

    /// What lies under a name; nil where nothing does. What cannot be read is itself by its inode only.
    func sight(_ folder: CInt, _ name: String) throws(Errno) -> Sighting? {
        if let content = try? read(folder, name) { return content }
        do { return Sighting(stamp: try calls.lstat(folder, name).stamp, hash: nil, bytes: []) } catch {
            guard error == .missing else { throw error }
            return nil
        }
    }

    /// Makes a new file with the bytes under a temporary name, and gives its stamp. Its attributes are those of an open
    /// file, if one is given. Not synced unless asked.
    func makeTemporary(
        _ folder: CInt,
        _ write: FileWrite,
        like original: CInt?,
        synced: Bool
    ) throws(Errno) -> (TemporaryName, FileStamp) {
        var name = TemporaryName(.unfinished, target: targetHash(write.name))
        let mode = original == nil ? write.mode : FileWrite.newFileMode
        let file = Descriptor(
            try fresh(&name) { text throws(Errno) in try calls.open(folder, text, .create(mode: mode)) }
        )
        do {
            if let original { try calls.copyAttributes(original, file.number) }
            try calls.write(file.number, write.bytes)
            if synced { try calls.sync(file.number) }
            return (name, try calls.stamp(file.number))
        } catch {
            try? calls.unlink(folder, name.text)
            throw error
        }
    }

    /// Makes something under the first free name of its kind.
    func fresh<T>(_ name: inout TemporaryName, _ make: (String) throws(Errno) -> T) throws(Errno) -> T {
        while true {
            do { return try make(name.text) } catch {
                guard error == .exists else { throw error }
                name.serial += 1
            }
        }
    }

    /// Moves a file to a name that must be free, also where the file system knows no such rename.
    func moveToFree(_ folder: CInt, _ from: String, _ to: String) throws(Errno) {
        do { return try calls.rename(folder, from, to, .noReplace) } catch {
            guard error.isUnsupported else { throw error }
        }
        do {
            try calls.link(folder, from, to)
            return try calls.unlink(folder, from)
        } catch {
            guard error.isUnsupported || error == .notPermitted else { throw error }
        }
        // No links either (FAT): look, then rename. A save between the two is the price of such a file system.
        do { _ = try calls.lstat(folder, to) } catch {
            guard error == .missing else { throw error }
            return try calls.rename(folder, from, to, .over)
        }
        throw .exists
    }

    func failure(_ operation: String, _ name: String, _ error: Errno) -> DirectoryError {
        DirectoryError(operation: operation, path: folder.path(of: name), errno: error.code)
    }
}
