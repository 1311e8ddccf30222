/// By what a book's directory is recognized: where it lies and what its marker says.
package struct FolderIdentity: Hashable, Sendable {
    /// The file system of the directory.
    package var device: UInt64
    /// Its number there.
    package var inode: UInt64
    /// The text of the `.contactsync` marker; nil if there is none, or none that can be read.
    package var marker: String?
    /// The number of the marker file; nil if there is none.
    package var markerInode: UInt64?

    package init(device: UInt64, inode: UInt64, marker: String?, markerInode: UInt64?) {
        self.device = device
        self.inode = inode
        self.marker = marker
        self.markerInode = markerInode
    }
}
