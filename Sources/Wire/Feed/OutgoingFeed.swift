/// Our feed on its way to one peer.
struct OutgoingFeed: Sendable {
    private enum State: Sendable {
        /// The peer has not asked.
        case idle
        /// The peer asked; its checkpoint is being looked up.
        case asked
        case following(Following)
    }

    private struct Following: Sendable {
        /// Up to where the feed is read, and to where it goes.
        var cursor: UInt64
        var head: UInt64
        /// Where the last batch ended: the `from` of the next.
        var sent: UInt64
        var isReading = false
        /// Batches without their acknowledgement, in order.
        var window: [Unacknowledged] = []
        /// Rows read since `sent` that did not go out.
        var skipped = 0
        /// Rows after `cursor`.
        var remaining: Int
        /// What the peer was last told to be remaining.
        var told: Int?
    }

    private struct Unacknowledged: Sendable {
        let seq: UInt64
        let records: Int
        let bytes: Int
    }

    let book: String
    private var state = State.idle

    init(book: String) { self.book = book }

    /// Records that the peer has not acknowledged; nil until it follows.
    var toSend: Int? {
        guard case .following(let own) = state else { return nil }
        return (own.cursor < own.head ? own.remaining : 0) + own.window.reduce(0) { $0 + $1.records }
    }

    /// Whether the peer has acknowledged all, and knows that it is all.
    var isCaughtUp: Bool {
        guard case .following(let own) = state else { return false }
        return own.cursor >= own.head && !own.isReading && own.window.isEmpty && own.told == 0
    }

    mutating func asked(after: FeedPosition?) throws(WireError) -> [FeedAction] {
        guard case .idle = state else { throw .unexpected(.follow, reason: "it is followed already") }
        state = .asked
        return [.checkFollow(after: after)]
    }

    /// The checkpoint was looked up; `start` is 0 where it is not known.
    mutating func follows(from start: UInt64, head: UInt64) -> [FeedAction] {
        guard case .asked = state else { preconditionFailure("the peer asked before it is answered") }
        // A row may be read, and so sent, before its commit was told as the head; its checkpoint may come back first.
        let head = max(start, head)
        var own = Following(cursor: start, head: head, sent: start, remaining: Int(head - start))
        defer { state = .following(own) }
        return goOn(&own)
    }

    mutating func headMoved(_ head: UInt64) -> [FeedAction] {
        guard case .following(var own) = state, head > own.head else { return [] }
        // Each number was given to one row, so this is the most there can be.
        own.remaining += Int(head - own.head)
        own.head = head
        defer { state = .following(own) }
        return goOn(&own)
    }

    mutating func read(_ rows: [FeedRow], reached: UInt64, remaining: Int) -> [FeedAction] {
        guard case .following(var own) = state, own.isReading else {
            preconditionFailure("rows are given when they were asked for")
        }
        precondition(reached > own.cursor, "a read gets on")
        precondition(rows.allSatisfy { $0.position.seq > own.cursor }, "rows lie after the cursor")
        defer { state = .following(own) }
        own.isReading = false
        own.cursor = reached
        own.head = max(own.head, reached)
        own.remaining = own.cursor < own.head ? remaining : 0

        var actions: [FeedAction] = []
        var records: [SizedRecord] = []
        for case let record? in rows.map(\.record) {
            if record.fits {
                records.append(record)
            } else {
                actions.append(.tooLarge(record.uid, bytes: record.bytes))
            }
        }
        if let last = rows.last?.position {
            precondition(last.seq <= reached, "what was reached covers the rows")
            own.skipped += rows.count - records.count
            if !records.isEmpty || own.skipped >= WireLimits.rowsSkipped {
                actions.append(.send(batch(records, to: last, &own)))
            }
        }
        return actions + goOn(&own)
    }

    private func batch(_ records: [SizedRecord], to: FeedPosition, _ own: inout Following) -> Message {
        let bytes = records.reduce(0) { $0 + $1.bytes }
        precondition(
            bytes <= WireLimits.batchBytes + WireLimits.recordBytes && records.count <= WireLimits.batchRows,
            "a read keeps to the limits it was given"
        )
        let batch = Batch(
            book: book,
            from: own.sent,
            to: to,
            records: records.map(\.form),
            remaining: own.remaining
        )
        own.window.append(Unacknowledged(seq: to.seq, records: records.count, bytes: bytes))
        own.sent = to.seq
        own.skipped = 0
        own.told = own.remaining
        return .batch(batch)
    }

    mutating func acknowledged(_ seq: UInt64) throws(WireError) -> [FeedAction] {
        guard case .following(var own) = state, let first = own.window.first, first.seq == seq else {
            throw .unexpected(.ack, reason: "\(seq) is not the batch that waits")
        }
        defer { state = .following(own) }
        own.window.removeFirst()
        return goOn(&own)
    }

    /// Reads on if there is something and the window is open; says so once when there is nothing left.
    private func goOn(_ own: inout Following) -> [FeedAction] {
        guard !own.isReading else { return [] }
        if own.cursor < own.head {
            let bytes = own.window.reduce(0) { $0 + $1.bytes }
            guard own.window.count < WireLimits.windowBatches, bytes < WireLimits.windowBytes else {
                return []
            }
            own.isReading = true
            return [
                .read(after: own.cursor, rows: WireLimits.batchRows, bytes: WireLimits.batchBytes)
            ]
        }
        guard own.told != 0 else { return [] }
        own.told = 0
        return [.send(.current(book: book, at: own.sent))]
    }
}
