import Glibc

/// What stat(2) says of a file; equal stamps mean that it need not be read again.
package struct FileStamp: Hashable, Sendable {
    /// The file system it lies on.
    package var device: UInt64
    /// Its number there.
    package var inode: UInt64
    /// Its length in bytes.
    package var size: Int64
    /// Last change of its bytes, in nanoseconds since 1970.
    package var modified: Int64
    /// Last change of its bytes, mode, owner, names or attributes, in nanoseconds since 1970.
    package var changed: Int64
    /// Type and permission bits, see inode(7).
    package var mode: UInt32

    package init(device: UInt64, inode: UInt64, size: Int64, modified: Int64, changed: Int64, mode: UInt32) {
        self.device = device
        self.inode = inode
        self.size = size
        self.modified = modified
        self.changed = changed
        self.mode = mode
    }

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
