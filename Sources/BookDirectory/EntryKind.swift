import Glibc

/// What a name in a directory stands for. Only a `file` is ever opened.
package enum EntryKind: Hashable, Sendable {
    /// A regular file.
    case file
    /// A symbolic link, wherever it leads.
    case link
    /// A directory.
    case directory
    /// A named pipe; opening one could block.
    case pipe
    /// A socket or a device.
    case other

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
