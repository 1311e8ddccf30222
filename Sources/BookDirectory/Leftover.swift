package import JSON

/// A file of a crashed run that may hold somebody's bytes; see `Writer.recover`.
package struct Leftover: Hashable, Sendable {
    /// What its content says.
    package enum Content: Hashable, Sendable {
        /// The bytes that a finished swap replaced, known to the store. Settle it.
        case replaced
        /// The bytes of a file that was to be removed, known to the store. Settle it; or, if the file should be
        /// there after all, restore it.
        case removed
        /// Bytes that somebody saved and nobody read: an edit of the file.
        case edited
    }

    /// The file, to be settled or restored. Give it its name first, so the trash knows it.
    package var file: OldFile
    /// What its content says.
    package let content: Content
    /// The content itself.
    package let bytes: [UInt8]

    let target: ContentHash

    /// Whether it stands for the file of this name.
    package func isOf(_ name: String, _ hash: HashFunction) -> Bool { hash.hash(Array(name.utf8)) == target }
}
