package import JSON
import Replication

/// One shared book on one connection: the change feed both ways, and the proof that both sides are equal.
///
/// Events come in as calls, what to do comes out as `FeedAction`s, to be carried out in order. Reads may be answered
/// at once or later. `headMoved` is to be called after every commit, before a total, sums or entries that include
/// it are given. A connection that ends drops its machine. After a `throw` the connection is to be closed.
package struct FeedMachine: Sendable {
    /// How long a pair rests before totals are compared, in milliseconds: a burst of edits is compared once.
    package static let rest: UInt64 = 200

    /// The book's name.
    package let book: String
    private var outgoing: OutgoingFeed
    private var incoming: IncomingFeed
    private var digest: DigestState
    private var sums: SumsRole
    private var list: ListRole
    private var verifies = VerifyQueue()

    /// - Parameters:
    ///   - ownDevice: our device ID; the smaller one begins comparisons.
    ///   - peerDevice: the peer's device ID.
    package init(book: String, ownDevice: String, peerDevice: String) {
        precondition(ownDevice != peerDevice, "a device does not follow itself")
        self.book = book
        outgoing = OutgoingFeed(book: book)
        incoming = IncomingFeed(book: book)
        digest = DigestState(leads: ownDevice < peerDevice)
        sums = SumsRole(book: book)
        list = ListRole(book: book)
    }

    /// Records that the peer has not acknowledged; at most, where some will turn out not to be sent. Nil until known.
    package var toSend: Int? { outgoing.toSend }

    /// Records of the peer that are not committed here; nil until known.
    package var toReceive: Int? { incoming.toReceive }

    /// Whether each side has acknowledged the other's feed to its head, and nothing waits for a commit.
    package var isCaughtUp: Bool { outgoing.isCaughtUp && incoming.isCaughtUp }

    /// Whether the totals were compared since the last change, and are equal.
    package var isProvenEqual: Bool { isCaughtUp && digest.proven != nil }

    /// Whether the socket should be left unread until something is committed.
    package var isFull: Bool { incoming.isFull }
}

// MARK: - Events of this machine

extension FeedMachine {
    /// The connection stands and both list the book. To be called once.
    package mutating func start(checkpoint: FeedPosition?) -> [FeedAction] {
        incoming.follow(after: checkpoint)
    }

    /// Answers `checkFollow`.
    ///
    /// - Parameters:
    ///   - after: the checkpoint that was asked about.
    ///   - known: whether our feed gave out its sequence number with its mark.
    ///   - head: the last sequence number of our feed, 0 if it is empty.
    package mutating func peerFollows(after: FeedPosition?, known: Bool, head: UInt64) -> [FeedAction] {
        let start = known ? after?.seq ?? 0 : 0
        return settled(outgoing.follows(from: start, head: head))
    }

    /// A commit moved our feed's head, whatever it was that was committed.
    package mutating func headMoved(_ seq: UInt64) -> [FeedAction] {
        changed()
        return settled(outgoing.headMoved(seq))
    }

    /// Answers `read`.
    ///
    /// - Parameters:
    ///   - rows: in order; those that must not go to this peer without their record.
    ///   - reached: up to where the feed has no other rows; after the `after` that was asked for.
    ///   - remaining: the rows after `reached`.
    package mutating func read(_ rows: [FeedRow], reached: UInt64, remaining: Int) -> [FeedAction] {
        settled(outgoing.read(rows, reached: reached, remaining: remaining))
    }

    /// Answers `apply`: the records, and the position if there was one, are durable.
    package mutating func committed(_ ticket: UInt64) -> [FeedAction] {
        settled(incoming.committed(ticket))
    }

    /// What is left out of our digest for this peer changed (held or refused records).
    package mutating func digestChanged() -> [FeedAction] {
        changed()
        return settled([])
    }

    /// Records here were found to be damaged: the peer, which knows nothing of it, is to bring them back.
    package mutating func damageFound() -> [FeedAction] {
        digest.wanted()
        return digestChanged()
    }

    /// Answers `startRestTimer`, with our total now.
    package mutating func digestDue(_ total: ContentHash) -> [FeedAction] {
        let asks = digest.rested(total, mayAsk: mayCompare)
        return settled(asks ? [.send(.digest(book: book, total: total))] : [])
    }

    /// Answers `readTotal`.
    package mutating func totalRead(_ total: ContentHash) -> [FeedAction] {
        switch digest.read(total, mayCompare: mayCompare) {
        case .equal: settled([.send(.equal(book: book, total: total))])
        case .compare(let purpose): sums.start(purpose)
        case .nothing: settled([])
        }
    }

    /// Answers `readSums`; all `Digest.bucketCount` of them.
    package mutating func sumsRead(_ role: ComparisonRole, _ all: [ContentHash]) -> [FeedAction] {
        switch role {
        case .sums: return sums.sumsRead(all)
        case .list:
            let (outcome, actions) = list.sumsRead(all)
            return ended(outcome, actions)
        }
    }

    /// Answers `readEntries`, with one list for each bucket in the order they were asked for.
    package mutating func entriesRead(_ role: ComparisonRole, _ lists: [[DigestEntry]]) -> [FeedAction] {
        switch role {
        case .sums:
            let (outcome, actions) = sums.entriesRead(lists)
            return ended(outcome, actions)
        case .list:
            let (outcome, actions) = list.entriesRead(lists)
            return ended(outcome, actions)
        }
    }

    /// Answers `readRecords`.
    package mutating func recordsRead(_ role: ComparisonRole, _ records: [SizedRecord]) -> [FeedAction] {
        switch role {
        case .sums:
            let (outcome, actions) = sums.recordsRead(records)
            return ended(outcome, actions)
        case .list:
            let (outcome, actions) = list.recordsRead(records)
            return ended(outcome, actions)
        }
    }

    /// Someone wants to know what differs; answered by `verified` with the same id, once the pair is caught up.
    ///
    /// - Returns: nil if too many wait already.
    package mutating func verify(id: UInt64) -> [FeedAction]? {
        verifies.add(id) ? settled([]) : nil
    }
}

// MARK: - The peer's messages

extension FeedMachine {
    /// The peer said something about this book.
    ///
    /// - Parameter bytes: of the payload that brought it, in plain.
    /// - Throws: what ends the connection: `gap`, `unexpected`, `tooMany`.
    package mutating func received(_ message: Message, bytes: Int = 0) throws(WireError) -> [FeedAction] {
        precondition(message.book == book, "messages are handed to the machine of their book")
        switch message {
        case .hello, .bye:
            preconditionFailure("messages without a book are the connection's")
        case .follow(_, let after):
            return try outgoing.asked(after: after)
        case .batch(let batch):
            changed()
            return try incoming.arrived(batch, bytes: bytes)
        case .current(_, let at):
            try incoming.current(at: at)
            return settled([])
        case .ack(_, let seq):
            return settled(try outgoing.acknowledged(seq))
        case .digest(_, let total):
            let reads = digest.arrived(total, mayCompare: mayCompare)
            return settled(reads ? [.readTotal] : [])
        case .equal(_, let total):
            digest.confirmed(total)
            return []
        case .buckets(let sums):
            return try list.arrived(sums)
        case .list(let bucketList):
            return try arrived(bucketList)
        case .heal(let heal):
            return try arrived(heal, bytes)
        case .refused(_, let uids, let isReadOnly):
            changed()
            return settled([.peerRefused(uids, isReadOnly: isReadOnly)])
        }
    }

    private mutating func arrived(_ bucketList: BucketList) throws(WireError) -> [FeedAction] {
        if bucketList.isAnswer {
            let (outcome, actions) = try list.arrived(bucketList)
            return ended(outcome, actions)
        }
        let (outcome, actions) = try sums.arrived(bucketList)
        return ended(outcome, actions)
    }

    private mutating func arrived(_ heal: Heal, _ bytes: Int) throws(WireError) -> [FeedAction] {
        if !heal.records.isEmpty { changed() }
        let actions = try incoming.healed(heal.records, bytes: bytes)
        return heal.isAnswer
            ? ended(try list.arrived(heal), actions)
            : ended(try sums.arrived(heal), actions)
    }
}

// MARK: - What follows from events

extension FeedMachine {
    /// Whether totals mean something now: both at their heads, no comparison open.
    private var mayCompare: Bool { isCaughtUp && sums.isIdle && list.isIdle }

    private mutating func changed() {
        digest.changed()
        verifies.changed()
    }

    private mutating func ended(_ outcome: SumsRole.Outcome, _ actions: [FeedAction]) -> [FeedAction] {
        switch outcome {
        case .goesOn: return actions
        case .healed:
            digest.healed()
            return settled(actions)
        case .reported(let uids):
            return settled(actions + (uids.isEmpty ? [] : [.differs(uids)]))
        case .verified(let uids):
            return settled(actions + verifies.ended(uids))
        }
    }

    private mutating func ended(_ outcome: ListRole.Outcome, _ actions: [FeedAction]) -> [FeedAction] {
        switch outcome {
        case .goesOn: return actions
        case .healed:
            digest.healed()
            return settled(actions)
        case .reported(let uids):
            return settled(actions + (uids.isEmpty ? [] : [.differs(uids)]))
        case .answered:
            return settled(actions)
        }
    }

    /// Begins what was put off until the pair is caught up.
    private mutating func settled(_ actions: [FeedAction]) -> [FeedAction] {
        guard mayCompare, digest.theirs == nil else { return actions }
        if !verifies.isEmpty {
            verifies.begin()
            return actions + sums.start(.verify)
        }
        guard digest.isWanted, !digest.isResting else { return actions }
        digest.rests()
        return actions + [.startRestTimer]
    }
}
