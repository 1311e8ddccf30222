/// What was last known of one file of a book.
package struct FileRow: Sendable, Hashable {
    /// The book whose directory it lies in.
    package var book: BookID
    /// The name in the book's directory.
    package var name: String
    /// What tells that a file has not changed (size, times, inode …); opaque here, six numbers.
    package var stamp: [Int64]
    /// What the file held; opaque here.
    package var state: [UInt8]

    /// Makes a row from all its columns.
    package init(book: BookID, name: String, stamp: [Int64], state: [UInt8]) {
        self.book = book
        self.name = name
        self.stamp = stamp
        self.state = state
    }
}
