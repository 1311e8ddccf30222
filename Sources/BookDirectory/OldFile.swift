import AddressBook
package import JSON

/// A file that came out of a swap or was moved away, and still lies under a temporary name, because an editor may
/// have it open and save into it yet.
///
/// Give it to `Writer.settle` at once, when the watch reports its temporary name, and every second or so, until it is gone.
package struct OldFile: Hashable, Sendable {
    /// Where it lies in the book's directory.
    package let temporaryName: String
    /// The name that it had; nil if it is known only by its hash, from a crashed run.
    package var name: String?
    /// The hash of the bytes that are known and dealt with. What differs from it is somebody's edit.
    package internal(set) var expected: ContentHash
    /// The hash of the bytes that the trash has, or that are not worth it as they are our own.
    var kept: ContentHash?
    /// The last stamp seen, and when, where there are no leases.
    var seen: FileStamp?
    var seenAt: Int64 = 0

    init(temporaryName: String, name: String?, expected: ContentHash, kept: ContentHash? = nil) {
        self.temporaryName = temporaryName
        self.name = name
        self.expected = expected
        self.kept = kept
    }

    /// Says that the bytes with this hash, which `settle` gave out as an edit, are in the store now; the next
    /// `settle` puts them in the trash and removes the file, unless it has changed again.
    package mutating func accept(_ hash: ContentHash) { expected = hash }
}
