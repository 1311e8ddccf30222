import JSON
import Replication

/// What is in some buckets, cut so that a message can carry it.
struct BucketEntries: Sendable {
    /// The buckets, in order.
    private(set) var buckets: [Int]
    /// Their entries.
    private(set) var entries: [DigestEntry] = []

    /// Takes buckets as long as their entries fit a message, but at least one.
    init(_ asked: [Int], _ lists: [[DigestEntry]]) {
        precondition(asked.count == lists.count, "there is one list for each bucket")
        buckets = []
        var bytes = 0
        for (bucket, list) in zip(asked, lists) {
            bytes += list.reduce(0) { $0 + $1.uid.text.utf8.count + 48 }
            let fits =
                bytes <= WireLimits.windowBytes && entries.count + list.count <= WireLimits.listEntries
            guard fits || buckets.isEmpty else { return }
            buckets.append(bucket)
            entries += list
        }
    }

    /// What two sides hold differently.
    struct Difference {
        /// Ours that the peer lacks or has in another state, sorted.
        var ours: [UID] = []
        /// All uids in question, sorted.
        var all: [UID] = []
    }

    /// Compares entries of the same buckets.
    static func difference(ours: [DigestEntry], theirs: [DigestEntry]) -> Difference {
        var left = Dictionary(theirs.map { ($0.uid, $0.hash) }) { first, _ in first }
        var difference = Difference()
        for entry in ours where left.removeValue(forKey: entry.uid) != entry.hash {
            difference.ours.append(entry.uid)
        }
        difference.ours.sort()
        difference.all = (difference.ours + left.keys).sorted()
        return difference
    }
}
