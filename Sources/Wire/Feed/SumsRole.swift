import JSON
import Replication

/// Who sends its sums, is answered with a list, and answers that with its own.
struct SumsRole: Sendable {
    private enum State: Sendable {
        case idle
        case readingSums(ComparisonPurpose)
        case sentSums(ComparisonPurpose)
        case readingEntries(theirs: BucketList)
        case healing(HealTransfer)
    }

    /// How a comparison ended.
    enum Outcome: Sendable {
        case goesOn
        case healed
        case reported([UID])
        case verified([UID])
    }

    let book: String
    private var state = State.idle

    init(book: String) { self.book = book }

    var isIdle: Bool { if case .idle = state { true } else { false } }

    mutating func start(_ purpose: ComparisonPurpose) -> [FeedAction] {
        precondition(isIdle, "one comparison at a time")
        state = .readingSums(purpose)
        return [.readSums(.sums)]
    }

    mutating func sumsRead(_ sums: [ContentHash]) -> [FeedAction] {
        guard case .readingSums(let purpose) = state else {
            preconditionFailure("sums are given when they were asked for")
        }
        state = .sentSums(purpose)
        return [.send(.buckets(BucketSums(book: book, purpose: purpose, sums: sums)))]
    }

    mutating func arrived(_ list: BucketList) throws(WireError) -> (Outcome, [FeedAction]) {
        guard case .sentSums(let purpose) = state, purpose == list.purpose else {
            throw .unexpected(.list, reason: "no sums were sent for it")
        }
        if list.buckets.isEmpty {
            state = .idle
            return (Self.outcome(purpose, []), [])
        }
        state = .readingEntries(theirs: list)
        return (.goesOn, [.readEntries(.sums, buckets: list.buckets)])
    }

    mutating func entriesRead(_ lists: [[DigestEntry]]) -> (Outcome, [FeedAction]) {
        guard case .readingEntries(let theirs) = state else {
            preconditionFailure("entries are given when they were asked for")
        }
        if theirs.purpose == .verify {
            state = .idle
            let difference = BucketEntries.difference(ours: lists.flatMap(\.self), theirs: theirs.entries)
            return (.verified(difference.all), [])
        }
        let own = BucketEntries(theirs.buckets, lists)
        let answer = FeedAction.send(
            .list(
                BucketList(
                    book: book,
                    purpose: theirs.purpose,
                    isAnswer: true,
                    buckets: own.buckets,
                    entries: own.entries
                )
            )
        )
        // Where our own answer had to be cut, the entries beyond look like lacking here: nothing is sent for them.
        let difference = BucketEntries.difference(ours: own.entries, theirs: theirs.entries)
        guard theirs.purpose == .heal else {
            state = .idle
            let isWhole = own.buckets.count == theirs.buckets.count
            return (.reported(isWhole ? difference.all : difference.ours), [answer])
        }
        var transfer = HealTransfer(difference.ours, book: book, role: .sums)
        let next = transfer.next()
        state = .healing(transfer)
        return (.goesOn, [answer, next])
    }

    mutating func recordsRead(_ records: [SizedRecord]) -> (Outcome, [FeedAction]) {
        guard case .healing(var transfer) = state else {
            preconditionFailure("records are given when they were asked for")
        }
        let actions = transfer.read(records)
        return (settle(transfer), actions)
    }

    mutating func arrived(_ heal: Heal) throws(WireError) -> Outcome {
        guard case .healing(var transfer) = state, transfer.expectsHeal else {
            throw .unexpected(.heal, reason: "no comparison is open")
        }
        if heal.isLast { transfer.peerSentLast() }
        return settle(transfer)
    }

    private mutating func settle(_ transfer: HealTransfer) -> Outcome {
        state = transfer.isDone ? .idle : .healing(transfer)
        return transfer.isDone ? .healed : .goesOn
    }

    private static func outcome(_ purpose: ComparisonPurpose, _ uids: [UID]) -> Outcome {
        switch purpose {
        case .heal: .healed
        case .report: .reported(uids)
        case .verify: .verified(uids)
        }
    }
}
