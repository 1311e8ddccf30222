import AddressBook
import JSON
import Replication
import Wire

/// What is compared with a peer to prove that both hold the same.
extension ListController {
    /// One sum of all records but some.
    func total(without left: Set<UID>) -> ContentHash { reduced(left).total(hash) }

    /// The sums of all buckets.
    func sums(without left: Set<UID>) -> [ContentHash] {
        let digest = reduced(left)
        return (0..<Digest.bucketCount).map { digest[$0] }
    }

    /// The records in some buckets, with what each adds to its sum.
    func entries(_ buckets: [Int], without left: Set<UID>) -> [[DigestEntry]] {
        var out: [Int: [DigestEntry]] = [:]
        for bucket in buckets { out[bucket] = [] }
        for (uid, share) in index.catalog.shares where !left.contains(uid) {
            let bucket = Digest.bucket(uidHash(uid))
            out[bucket]?.append(DigestEntry(uid: uid, hash: share))
        }
        return buckets.map { (out[$0] ?? []).sorted { $0.uid < $1.uid } }
    }

    private func reduced(_ left: Set<UID>) -> Digest {
        var digest = digest
        for uid in left { digest.replace(uidHash(uid), old: index.catalog.share(of: uid), new: nil) }
        return digest
    }
}
