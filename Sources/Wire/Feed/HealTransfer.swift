import Replication

/// What both sides of a comparison send each other once both lists are known.
struct HealTransfer: Sendable {
    /// Ours that the peer lacks or has in another state, and that are not read yet.
    private var toRead: ArraySlice<UID>
    private var ownIsSent = false
    private var peerIsThrough = false

    private let book: String
    private let role: ComparisonRole

    init(_ uids: [UID], book: String, role: ComparisonRole) {
        toRead = uids.prefix(WireLimits.healRecords)
        self.book = book
        self.role = role
    }

    /// Whether nothing more will be sent, either way.
    var isDone: Bool { ownIsSent && peerIsThrough }

    /// Notes that the peer has sent its last.
    mutating func peerSentLast() { peerIsThrough = true }

    /// Whether the peer may send more.
    var expectsHeal: Bool { !peerIsThrough }

    /// Reads the next records, or says that there are none.
    mutating func next() -> FeedAction {
        guard toRead.isEmpty else {
            return .readRecords(role, uids: Array(toRead.prefix(WireLimits.healRead)))
        }
        ownIsSent = true
        return .send(heal([], isLast: true))
    }

    /// Sends what was read, packed into messages, and goes on.
    mutating func read(_ records: [SizedRecord]) -> [FeedAction] {
        precondition(!toRead.isEmpty, "records are given when they were asked for")
        toRead = toRead.dropFirst(WireLimits.healRead)
        var actions: [FeedAction] = []
        var pack: [SizedRecord] = []
        var bytes = 0
        for record in records {
            guard record.fits else {
                actions.append(.tooLarge(record.uid, bytes: record.bytes))
                continue
            }
            if bytes + record.bytes > WireLimits.batchBytes, !pack.isEmpty {
                actions.append(.send(heal(pack, isLast: false)))
                (pack, bytes) = ([], 0)
            }
            pack.append(record)
            bytes += record.bytes
        }
        if !pack.isEmpty { actions.append(.send(heal(pack, isLast: false))) }
        return actions + [next()]
    }

    private func heal(_ records: [SizedRecord], isLast: Bool) -> Message {
        .heal(
            Heal(
                book: book,
                isAnswer: role == .sums,
                records: records.map(\.form),
                isLast: isLast
            )
        )
    }
}
