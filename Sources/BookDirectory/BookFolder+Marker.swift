package import AddressBook
import Glibc

extension BookFolder {
    /// The file that says which book the directory is.
    static let markerName = ".contactsync"

    /// The most that is read of a marker, in bytes; ours are shorter by far.
    static let maxMarkerSize: Int64 = 4096

    /// What the directory is recognized by now; nil if the path leads to no directory.
    ///
    /// Throws where the machine cannot say, such as for want of permission.
    package func identity() throws(DirectoryError) -> FolderIdentity? {
        let folder: Descriptor
        do { folder = try open() } catch {
            guard [ENOENT, ENOTDIR, ELOOP].contains(error.errno) else { throw error }
            return nil
        }
        return try identity(of: folder.number)
    }

    /// The same for a directory that is open already.
    func identity(of folder: CInt) throws(DirectoryError) -> FolderIdentity {
        let stamp = try during("stat", path) { () throws(Errno) in try calls.stamp(folder) }
        let marker = try entry(folder, Self.markerName)
        let text = try? OpenedFile(folder, Self.markerName, calls, limit: Self.maxMarkerSize).bytes
        return FolderIdentity(
            device: stamp.device,
            inode: stamp.inode,
            marker: text.map { String(decoding: $0, as: UTF8.self) },
            markerInode: marker?.stamp.inode
        )
    }

    /// Puts the marker in place, all of it or not at all; when it returns, it is on the disk.
    package func writeMarker(_ text: String) throws(DirectoryError) {
        precondition(text.utf8.count <= Self.maxMarkerSize, "a marker is short")
        let folder = try open()
        let temporary = TemporaryName.unfinishedPrefix + "marker"
        try during("write", path(of: Self.markerName)) { () throws(Errno) in
            // One of a crashed run; there is one daemon for a directory.
            try? calls.unlink(folder.number, temporary)
            do {
                let file = Descriptor(try calls.open(folder.number, temporary, .create(mode: 0o600)))
                try calls.write(file.number, Array(text.utf8))
                try calls.sync(file.number)
            }
            try calls.rename(folder.number, temporary, Self.markerName, .over)
            try calls.sync(folder.number)
        }
    }
}
