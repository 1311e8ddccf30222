/// A version that a file showed; it outlives the file (DESIGN.md 5, bases).
package struct BaseRow: Sendable, Hashable {
    /// The book the file belongs to.
    package var book: BookID
    /// The name of the file.
    package var name: String
    /// Which version of that file.
    package var number: Int64
    /// When it was shown, in milliseconds since 1970.
    package var time: UInt64
    /// What it showed; opaque here.
    package var state: [UInt8]

    /// Makes a row from all its columns.
    package init(book: BookID, name: String, number: Int64, time: UInt64, state: [UInt8]) {
        self.book = book
        self.name = name
        self.number = number
        self.time = time
        self.state = state
    }
}
