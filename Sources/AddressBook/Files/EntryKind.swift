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
}
