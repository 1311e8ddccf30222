import JSON
import Replication

/// Who is sent sums and answers with a list of what differs.
struct ListRole: Sendable {
    private enum State: Sendable {
        case idle
        case readingSums(theirs: BucketSums)
        case readingEntries(ComparisonPurpose, buckets: [Int])
        case sentList(ComparisonPurpose, own: [Int: [DigestEntry]])
        case healing(HealTransfer)
    }

    /// How a comparison ended.
    enum Outcome: Sendable {
        case goesOn
        case healed
        case reported([UID])
        /// The peer has what it asked for.
        case answered
    }

    let book: String
    private var state = State.idle

    init(book: String) { self.book = book }

    var isIdle: Bool { if case .idle = state { true } else { false } }

    mutating func arrived(_ sums: BucketSums) throws(WireError) -> [FeedAction] {
        guard isIdle else { throw .unexpected(.buckets, reason: "a comparison is open") }
        state = .readingSums(theirs: sums)
        return [.readSums(.list)]
    }

    mutating func sumsRead(_ sums: [ContentHash]) -> (Outcome, [FeedAction]) {
        guard case .readingSums(let theirs) = state else {
            preconditionFailure("sums are given when they were asked for")
        }
        precondition(sums.count == Digest.bucketCount, "a digest has all its buckets")
        let differing = sums.indices.filter { sums[$0] != theirs.sums[$0] }
        guard !differing.isEmpty else {
            state = .idle
            return (
                theirs.purpose == .heal ? .healed : .answered,
                [.send(.list(list(theirs.purpose, [], [])))]
            )
        }
        let buckets = Array(differing.prefix(WireLimits.listBuckets))
        state = .readingEntries(theirs.purpose, buckets: buckets)
        return (.goesOn, [.readEntries(.list, buckets: buckets)])
    }

    mutating func entriesRead(_ lists: [[DigestEntry]]) -> (Outcome, [FeedAction]) {
        guard case .readingEntries(let purpose, let buckets) = state else {
            preconditionFailure("entries are given when they were asked for")
        }
        let own = BucketEntries(buckets, lists)
        let action = FeedAction.send(.list(list(purpose, own.buckets, own.entries)))
        guard purpose != .verify else {
            state = .idle
            return (.answered, [action])
        }
        let kept = Dictionary(uniqueKeysWithValues: zip(own.buckets, lists))
        state = .sentList(purpose, own: kept)
        return (.goesOn, [action])
    }

    mutating func arrived(_ answer: BucketList) throws(WireError) -> (Outcome, [FeedAction]) {
        guard case .sentList(let purpose, let own) = state, purpose == answer.purpose else {
            throw .unexpected(.list, reason: "no list was sent for it")
        }
        guard answer.buckets.allSatisfy({ own[$0] != nil }) else {
            throw .unexpected(.list, reason: "it answers for buckets that were not listed")
        }
        let ours = answer.buckets.flatMap { own[$0] ?? [] }
        let difference = BucketEntries.difference(ours: ours, theirs: answer.entries)
        guard purpose == .heal else {
            state = .idle
            return (.reported(difference.all), [])
        }
        var transfer = HealTransfer(difference.ours, book: book, role: .list)
        let next = transfer.next()
        state = .healing(transfer)
        return (.goesOn, [next])
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

    private func list(_ purpose: ComparisonPurpose, _ buckets: [Int], _ entries: [DigestEntry]) -> BucketList
    {
        BucketList(book: book, purpose: purpose, isAnswer: false, buckets: buckets, entries: entries)
    }
}
