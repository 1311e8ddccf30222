/// A place in a change feed: the number of the last record taken, and the start of the daemon that committed it.
///
/// A mark that the owner of the feed does not know at that number means that one of the two went back.
package struct Checkpoint: Sendable, Hashable {
    /// The number of the last record taken.
    package var seq: UInt64
    /// The replica ID of the start that committed `seq`; 0 with `seq` 0.
    package var mark: UInt64

    /// Makes a checkpoint of a number and its mark.
    package init(seq: UInt64, mark: UInt64) {
        self.seq = seq
        self.mark = mark
    }

    /// Before the first record.
    package static let start = Checkpoint(seq: 0, mark: 0)
}
