import Replication

/// Calls of `verify` that wait for a pair to be caught up, and the one that is under way.
struct VerifyQueue: Sendable {
    /// Ids that wait, in the order they came.
    private var waiting: [UInt64] = []
    /// Ids that the comparison under way answers.
    private var running: [UInt64] = []
    /// Whether records changed since it began: what differs may only have been on its way.
    private var isDisturbed = false
    private var tries = 0

    var isEmpty: Bool { waiting.isEmpty }

    /// False if too many wait already.
    mutating func add(_ id: UInt64) -> Bool {
        guard waiting.count < WireLimits.verifiesWaiting else { return false }
        waiting.append(id)
        return true
    }

    mutating func begin() {
        (running, waiting) = (waiting, [])
        isDisturbed = false
    }

    mutating func changed() { isDisturbed = true }

    /// The comparison ended; the answers, or none if it is worth another try.
    mutating func ended(_ differs: [UID]) -> [FeedAction] {
        defer { running = [] }
        tries += 1
        if isDisturbed, !differs.isEmpty, tries < WireLimits.comparisons {
            waiting = running + waiting
            return []
        }
        tries = 0
        return running.map { .verified(id: $0, differs: differs) }
    }
}
