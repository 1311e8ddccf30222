import AddressBook
import JSON

/// What was found under a name at one moment.
struct Sighting {
    let stamp: FileStamp
    /// The hash of its bytes; nil if it could not be read.
    let hash: ContentHash?
    let bytes: [UInt8]

    /// Whether it is that file with those bytes.
    func isSame(_ other: Sighting) -> Bool { stamp.inode == other.stamp.inode && hash == other.hash }
}
