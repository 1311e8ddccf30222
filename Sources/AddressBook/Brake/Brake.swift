package import JSON
package import Replication

/// Stands before deletions that nobody may have meant: a directory half copied, a disk not mounted, a broken peer
/// (DESIGN.md 5).
///
/// One stands before what is deleted by absence in a book, one before what each peer sends. It decides on what is
/// deleted within one hour, pending ones included, against what the book held at the start of that hour. What it
/// holds is let through when the pending ones become few enough, so when files are back it is released by itself;
/// a person's decision (`resume`) is to believe or restore without asking it, and `decided` then begins anew.
///
/// `remove` is never asked about here.
package struct Brake: Hashable, Sendable {
    /// The time over which deletions are counted, in milliseconds.
    package static let hour: Int64 = 3_600_000
    /// Up to this many deletions within the hour are believed whatever their share, as long as something stays: a
    /// person deletes a handful by hand.
    package static let alwaysBelieved = 5

    /// What to do with deletions.
    package enum Verdict: Hashable, Sendable {
        /// They were meant.
        case believe
        /// They wait until they are fewer, or a person decides.
        case hold(Reason)
    }

    /// Why deletions are held, with the numbers that a person wants to see.
    package struct Reason: Hashable, Sendable {
        /// How many would be deleted within the hour, pending ones included.
        package let deletions: Int
        /// How many the book held at the start of that hour, and what came since.
        package let held: Int
        /// Whether nothing would be left.
        package let isAll: Bool

        /// A reason.
        package init(deletions: Int, held: Int, isAll: Bool) {
            self.deletions = deletions
            self.held = held
            self.isAll = isAll
        }
    }

    /// Deletions that were believed at one time.
    private struct Believed: Hashable, Sendable {
        let time: Int64
        let count: Int
        /// How many persons the book held before them.
        let held: Int
    }

    /// More than this share of the book within an hour is held, in percent from 0 to 100.
    package var deletionLimit: Int {
        didSet { Self.check(deletionLimit) }
    }

    /// Oldest first; none is older than the hour.
    private var believed: [Believed] = []

    /// A brake that has seen no deletion yet.
    package init(deletionLimit: Int) {
        Self.check(deletionLimit)
        self.deletionLimit = deletionLimit
    }

    /// Judges what is to be deleted now, all of it or nothing. What is believed counts from now on.
    ///
    /// - Parameters:
    ///   - pending: all persons whose deletion waits, by their cards' uids; those held before are among them as long
    ///     as they are gone.
    ///   - now: milliseconds since 1970.
    ///   - count: how many persons the book holds, pending ones included.
    package mutating func judge(pending: [UID], now: Int64, count: Int) -> Verdict {
        let pending = Set(pending).count
        precondition(pending <= count, "what is to be deleted is in the book")
        forget(before: now)
        guard pending > 0 else { return .believe }
        let deletions = believed.reduce(pending) { $0 + $1.count }
        // The book may have grown within the hour; that makes no deletion of what it held before more likely.
        let held = believed.first?.held ?? count
        // The last one of one is a deletion, however often that happens; the last of two within the hour is not.
        let isAll = pending == count && max(count, held) > 1
        let isMuch = deletions > Self.alwaysBelieved && deletions * 100 > deletionLimit * held
        if isAll || isMuch {
            // Of what was added since some may be among the deletions: never more of them than there were persons.
            let ever = max(held, count + deletions - pending)
            return .hold(Reason(deletions: deletions, held: ever, isAll: isAll))
        }
        believed.append(Believed(time: now, count: pending, held: count))
        return .believe
    }

    /// A person decided about what was held: the count begins anew.
    package mutating func decided() { believed = [] }

    private mutating func forget(before now: Int64) {
        // A clock that was set back must not make old deletions count for longer than an hour.
        believed.removeAll { $0.time > now || now - $0.time >= Self.hour }
    }

    private static func check(_ limit: Int) {
        precondition((0...100).contains(limit), "the deletion limit is a share in percent")
    }
}

extension Brake {
    /// What must outlive a restart: the deletions of the last hour; the limit is the configuration's.
    package var state: JSONValue {
        .array(believed.map { [.number($0.time), .number($0.count), .number($0.held)] })
    }

    /// A brake as it was when its state was stored; nil if the value is none.
    package init?(state: JSONValue, deletionLimit: Int) {
        self.init(deletionLimit: deletionLimit)
        guard let list = state.array else { return nil }
        for item in list {
            guard let parts = item.array, parts.count == 3, let time = parts[0].integer,
                let count = parts[1].integer, let held = parts[2].integer, count > 0, held >= count,
                held <= Int64(Int32.max), time >= believed.last?.time ?? .min
            else { return nil }
            believed.append(Believed(time: time, count: Int(count), held: Int(held)))
        }
    }
}
