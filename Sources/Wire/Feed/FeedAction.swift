package import Replication

/// What the runner of a `FeedMachine` carries out, in order.
package enum FeedAction: Hashable, Sendable {
    /// Send the message.
    case send(Message)
    /// Look the peer's checkpoint up and answer with `peerFollows`.
    case checkFollow(after: FeedPosition?)
    /// Read our feed after `after`, at most so many rows and (but for the first) bytes; answer with `read`.
    case read(after: UInt64, rows: Int, bytes: Int)
    /// Join and commit, then answer with `committed`. What is refused is named to the peer before that answer.
    case apply(Delivery)
    /// Start a timer of `FeedMachine.rest`, or start it anew, then answer with `digestDue`.
    case startRestTimer
    /// Answer with `totalRead`.
    case readTotal
    /// Answer with `sumsRead`.
    case readSums(ComparisonRole)
    /// Answer with `entriesRead`, one list for each bucket.
    case readEntries(ComparisonRole, buckets: [Int])
    /// Answer with `recordsRead`; what is no longer there is left out.
    case readRecords(ComparisonRole, uids: [UID])
    /// All records that the peer holds back or refused: from now on left out of totals, sums and entries for it.
    /// `isReadOnly`: the peer takes nothing of this book from us.
    case peerRefused([UID], isReadOnly: Bool)
    /// These stay different, whatever is sent: tell a person.
    case differs([UID])
    /// The answer to `verify`; at most what 256 buckets hold.
    case verified(id: UInt64, differs: [UID])
    /// A record too large to be sent stays here: tell a person.
    case tooLarge(UID, bytes: Int)
}

/// The two parts in a comparison of buckets; one machine may play both in two comparisons at once.
package enum ComparisonRole: Hashable, Sendable {
    /// Who sent the sums.
    case sums
    /// Who answers them with a list.
    case list
}
