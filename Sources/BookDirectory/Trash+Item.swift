extension Trash {
    /// Something to be kept.
    package struct Item: Sendable {
        /// The bytes of the file.
        package var bytes: [UInt8]
        /// The name that it had in the book's directory.
        package var name: String

        package init(bytes: [UInt8], name: String) {
            self.bytes = bytes
            self.name = name
        }
    }

    /// Something that is kept.
    package struct Entry: Hashable, Sendable {
        /// Its ID.
        package let id: String
        /// Its length in bytes.
        package let size: Int64
        /// When it was kept, in nanoseconds since 1970.
        package let kept: Int64

        /// The name that the file had, cut if it was very long.
        package var name: String { String(id.dropFirst(17)) }
    }
}
