/// The peer's feed on its way to us.
struct IncomingFeed: Sendable {
    private enum State: Sendable {
        /// Not asked for.
        case idle
        /// Asked for; the first answer may begin anew.
        case asked(after: UInt64)
        /// Where the next batch begins, and how many rows the peer has after it.
        case following(cursor: UInt64, remaining: Int)
    }

    private struct Waiting: Sendable {
        let ticket: UInt64
        let records: Int
        /// Of the payload that brought it.
        let bytes: Int
        /// What to acknowledge; nil for heals.
        let seq: UInt64?
    }

    let book: String
    private var state = State.idle
    /// Deliveries that are not committed, in order.
    private var waiting: [Waiting] = []
    private var lastTicket: UInt64 = 0

    init(book: String) { self.book = book }

    /// Records that are not committed here; nil until the peer said how many it has.
    var toReceive: Int? {
        guard case .following(_, let remaining) = state else { return nil }
        let (sum, overflow) = waiting.reduce(0) { $0 + $1.records }.addingReportingOverflow(remaining)
        return overflow ? Int.max : sum
    }

    /// Whether all that the peer has is committed here.
    var isCaughtUp: Bool {
        guard case .following(_, remaining: 0) = state else { return false }
        return waiting.isEmpty
    }

    /// Whether more waits for a commit than the peer's window alone can bring.
    var isFull: Bool {
        waiting.count > 2 * WireLimits.windowBatches
            || waiting.reduce(0) { $0 + $1.bytes } > WireLimits.uncommittedBytes
    }

    mutating func follow(after: FeedPosition?) -> [FeedAction] {
        guard case .idle = state else { preconditionFailure("a book is followed once") }
        state = .asked(after: after?.seq ?? 0)
        return [.send(.follow(book: book, after: after))]
    }

    mutating func arrived(_ batch: Batch, bytes: Int) throws(WireError) -> [FeedAction] {
        try accept(from: batch.from, .batch)
        guard batch.to.seq > batch.from else {
            throw .unexpected(.batch, reason: "it ends where it begins, at \(batch.from)")
        }
        state = .following(cursor: batch.to.seq, remaining: batch.remaining)
        return [.apply(try delivery(batch.records, batch.to, .batch, bytes))]
    }

    mutating func current(at: UInt64) throws(WireError) {
        try accept(from: at, .current)
        state = .following(cursor: at, remaining: 0)
    }

    mutating func healed(_ records: [RecordForm], bytes: Int) throws(WireError) -> [FeedAction] {
        records.isEmpty ? [] : [.apply(try delivery(records, nil, .heal, bytes))]
    }

    mutating func committed(_ ticket: UInt64) -> [FeedAction] {
        precondition(waiting.first?.ticket == ticket, "deliveries are committed in their order")
        guard let seq = waiting.removeFirst().seq else { return [] }
        return [.send(.ack(book: book, seq: seq))]
    }

    private func accept(from: UInt64, _ kind: FrameKind) throws(WireError) {
        switch state {
        case .idle: throw .unexpected(kind, reason: "the book is not followed")
        case .asked(let after):
            guard from == after || from == 0 else { throw .gap(book: book, expected: after, got: from) }
        case .following(let cursor, _):
            guard from == cursor else { throw .gap(book: book, expected: cursor, got: from) }
        }
    }

    private mutating func delivery(
        _ records: [RecordForm],
        _ position: FeedPosition?,
        _ kind: FrameKind,
        _ bytes: Int
    ) throws(WireError) -> Delivery {
        guard waiting.count < WireLimits.deliveriesWaiting else {
            throw .tooMany(kind, limit: WireLimits.deliveriesWaiting)
        }
        lastTicket += 1
        waiting.append(Waiting(ticket: lastTicket, records: records.count, bytes: bytes, seq: position?.seq))
        return Delivery(ticket: lastTicket, records: records, position: position)
    }
}
