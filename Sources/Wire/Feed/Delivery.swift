/// Records of a peer that are to be joined, all at once or one after the other.
package struct Delivery: Hashable, Sendable {
    /// To be given to `FeedMachine.committed(_:)`; deliveries are committed in the order of their tickets.
    package let ticket: UInt64
    /// The records, in the order in which they came.
    package let records: [RecordForm]
    /// The peer's new checkpoint, to be stored with the last of them or after it; nil for what a comparison brought.
    package let position: FeedPosition?
}
