import AddressBook
import Glibc

extension EntryKind {
    /// Reads the type bits of a mode, see inode(7).
    init(mode: UInt32) {
        switch mode & S_IFMT {
        case S_IFREG: self = .file
        case S_IFLNK: self = .link
        case S_IFDIR: self = .directory
        case S_IFIFO: self = .pipe
        default: self = .other
        }
    }
}

extension FileStamp {
    init(_ status: stat) {
        self.init(
            device: UInt64(status.st_dev),
            inode: UInt64(status.st_ino),
            size: Int64(status.st_size),
            modified: status.st_mtim.nanoseconds,
            changed: status.st_ctim.nanoseconds,
            mode: status.st_mode
        )
    }

    /// Whether the other is the same file with the same bytes, though it may have another name by now.
    func isSameContent(_ other: FileStamp) -> Bool {
        device == other.device && inode == other.inode && size == other.size && modified == other.modified
    }
}

extension timespec {
    fileprivate var nanoseconds: Int64 { Int64(tv_sec) &* 1_000_000_000 &+ Int64(tv_nsec) }
}
