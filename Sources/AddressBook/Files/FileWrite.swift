package import JSON

/// One file as it is to lie in a book's directory.
package struct FileWrite: Sendable {
    /// The mode of files that the daemon makes: contacts are their owner's affair.
    package static let newFileMode: UInt32 = 0o600

    /// Its name.
    package var name: String
    /// Its bytes.
    package var bytes: [UInt8]
    /// The hash of what is known to lie there now; nil for a name that must be free.
    package var expected: ContentHash?
    /// The permissions of a new file. One that replaces another takes over that one's.
    package var mode: UInt32

    package init(name: String, bytes: [UInt8], expected: ContentHash?, mode: UInt32 = Self.newFileMode) {
        self.name = name
        self.bytes = bytes
        self.expected = expected
        self.mode = mode
    }
}
