/// A place in one database's change feed.
package struct FeedPosition: Hashable, Sendable {
    /// The sequence number of a change; 0 is before the first.
    package let seq: UInt64
    /// The random mark of its commit: a database that went back does not know it.
    package let mark: UInt64

    package init(seq: UInt64, mark: UInt64) {
        self.seq = seq
        self.mark = mark
    }
}
