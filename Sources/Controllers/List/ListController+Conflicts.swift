import AddressBook
import JSON
package import Replication

/// How many values of whom are kept and not shown.
extension ListController {
    /// The persons of whom values are kept that are not shown, by their cards' uids, sorted.
    package var conflicted: [UID] { conflictCounts.keys.sorted() }

    /// Notes it, in memory and in the store: a start does not look at every card.
    func noteConflicts(_ uid: UID, _ count: Int) {
        let new = count > 0 ? count : nil
        guard conflictCounts[uid] != new else { return }
        conflictCounts[uid] = new
        let value = new.map { Array(String($0).utf8) }
        committer.stage { $0.blobs.append((settings.id, "conflicts", uid.text, value)) }
    }

    func loadConflicts() throws(StoreFailure) {
        for blob in try store.blobs(settings.id, kind: "conflicts") {
            let uid = UID(blob.key)
            // A policy that was changed meanwhile makes other persons.
            guard index.person(of: uid)?[0] == uid else { continue }
            conflictCounts[uid] = Int(String(decoding: blob.value, as: UTF8.self))
        }
    }
}
