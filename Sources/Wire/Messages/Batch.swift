/// A run of changes of one book.
package struct Batch: Hashable, Sendable {
    /// The book's name.
    package let book: String
    /// Where the batch before ended.
    package let from: UInt64
    /// Where this one ends: the checkpoint once it is committed.
    package let to: FeedPosition
    /// The records that changed.
    package let records: [RecordForm]
    /// Rows of the feed after `to`.
    package let remaining: Int

    package init(book: String, from: UInt64, to: FeedPosition, records: [RecordForm], remaining: Int) {
        self.book = book
        self.from = from
        self.to = to
        self.records = records
        self.remaining = remaining
    }
}
