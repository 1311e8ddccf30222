package import Replication

/// What a peer sends that may only read: neither joined nor passed on, and named to it, so that both leave it out when
/// they compare.
///
/// Not even a state that we know is joined: under a known dot it could bring another value. Nothing of it is stored;
/// after a restart the first comparison brings it to light again.
extension ListController {
    /// The records of a peer that were not joined: held, refused, or larger than any may be.
    package func leftOutUIDs(from peer: String) -> Set<UID> {
        heldUIDs(from: peer).union(refused[peer].map { Set($0.keys) } ?? []).union(outgrown[peer] ?? [])
    }

    /// How many records of a peer are refused.
    package func refusedCount(from peer: String) -> Int { refused[peer]?.count ?? 0 }

    /// Refuses records.
    ///
    /// - Returns: whether others are left out now than before.
    func refuse(_ records: [Record], from peer: String) -> Bool {
        let before = refusals
        for other in records {
            let ours = record(other.uid)?.seen ?? VersionVector()
            note(other.uid, ours, theirs: other.seen, from: peer)
        }
        return refusals != before
    }

    /// A peer may write again: its records come once more when the books are compared.
    package func forgetRefused(from peer: String) {
        refusedCounters[peer] = nil
        if refused.removeValue(forKey: peer) != nil { refusals += 1 }
    }

    /// What a record of ours has seen by another way is refused no longer.
    func reviewRefused(_ record: Record) {
        for (peer, records) in refused {
            if let theirs = records[record.uid] { note(record.uid, record.seen, theirs: theirs, from: peer) }
        }
    }

    private func note(_ uid: UID, _ ours: VersionVector, theirs: VersionVector, from peer: String) {
        let before = refused[peer]?[uid]
        var beyond: VersionVector?
        if !ours.isSuperset(of: theirs) {
            // Ours only grows: when it has seen these it has seen all.
            beyond = VersionVector(theirs.counters.filter { ours.counters[$0.key, default: 0] < $0.value })
        }
        refused[peer, default: [:]][uid] = beyond
        if refused[peer]?.isEmpty == true { refused[peer] = nil }
        refusedCounters[peer, default: 0] += (beyond?.counters.count ?? 0) - (before?.counters.count ?? 0)
        if (before == nil) != (beyond == nil) { refusals += 1 }
    }
}
