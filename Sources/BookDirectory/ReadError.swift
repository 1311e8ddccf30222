package import AddressBook
/// Why a file of a book could not be read. It costs this file only.
package struct ReadError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What stood in the way.
    package enum Reason: Hashable, Sendable {
        /// There is no such name.
        case missing
        /// The name is no regular file; it was not opened.
        case notAFile(EntryKind)
        /// The machine refused, with its error number.
        case unreadable(CInt)
        /// The file is larger than `BookFolder.maxFileSize`; its size in bytes.
        case tooLarge(Int64)
        /// It changed during every attempt; whoever writes it will end, and that is an event.
        case unsteady
    }

    /// The name in the book's directory.
    package let name: String
    /// What stood in the way.
    package let reason: Reason

    package init(name: String, reason: Reason) {
        self.name = name
        self.reason = reason
    }

    /// The reason as a sentence for people.
    package var description: String {
        switch reason {
        case .missing: "There is no such file."
        case .notAFile(.link): "It is a link; links are not followed."
        case .notAFile(.directory): "It is a directory, not a file."
        case .notAFile(.pipe): "It is a pipe, not a file."
        case .notAFile: "It is no regular file."
        case .unreadable(let code): "It cannot be read: \(Errno(code))."
        case .tooLarge(let size):
            "It is too large: \(size) bytes, at most \(BookFolder.maxFileSize) are read."
        case .unsteady: "It is being written."
        }
    }
}
