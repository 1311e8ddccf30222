package import JSON
package import Replication

/// What one machine says to the other; the grammar is in Wire.docc.
package enum Message: Hashable, Sendable {
    /// Who we are.
    case hello(Hello)
    /// Send me the changes of a book after my checkpoint; nil stands for all.
    case follow(book: String, after: FeedPosition?)
    /// Changes.
    case batch(Batch)
    /// You have all of the book; the next batch will continue `at`.
    case current(book: String, at: UInt64)
    /// The batch up to `seq` is committed here.
    case ack(book: String, seq: UInt64)
    /// The total of a book's digest, said by who is caught up.
    case digest(book: String, total: ContentHash)
    /// The total is the same here.
    case equal(book: String, total: ContentHash)
    /// The totals differ: all sums.
    case buckets(BucketSums)
    /// What is in buckets whose sums differ.
    case list(BucketList)
    /// Records that differ.
    case heal(Heal)
    /// All records that the sender holds back or refused; both leave them out of their digests. `isReadOnly`: it takes
    /// nothing from us of this book.
    case refused(book: String, uids: [UID], isReadOnly: Bool)
    /// The sender closes, and why. `isRefusal`: the receiver is no peer there.
    case bye(reason: String, isRefusal: Bool = false)
}

extension Message {
    /// A bye whose reason is cut to what one may have.
    package static func bye(because reason: String, isRefusal: Bool = false) -> Message {
        .bye(reason: Reason.line(reason), isRefusal: isRefusal)
    }

    /// The frame kind that carries it.
    package var kind: FrameKind {
        switch self {
        case .hello: .hello
        case .follow: .follow
        case .batch: .batch
        case .current: .current
        case .ack: .ack
        case .digest: .digest
        case .equal: .equal
        case .buckets: .buckets
        case .list: .list
        case .heal: .heal
        case .refused: .refused
        case .bye: .bye
        }
    }

    /// The book it is about; nil for what concerns the connection.
    package var book: String? {
        switch self {
        case .hello, .bye: nil
        case .follow(let book, _), .current(let book, _), .ack(let book, _), .digest(let book, _),
            .equal(let book, _), .refused(let book, _, _):
            book
        case .batch(let batch): batch.book
        case .buckets(let sums): sums.book
        case .list(let list): list.book
        case .heal(let heal): heal.book
        }
    }
}
