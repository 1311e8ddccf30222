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
}
