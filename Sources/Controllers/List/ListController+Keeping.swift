import AddressBook
import JSON
package import Replication

/// What is forgotten with time, and what is found to be damaged.
extension ListController {
    /// Forgets the values of records that died here before a time; uid, vector and dots stay as the tombstone.
    ///
    /// The rows keep their place in the feed: a peer learns nothing by it.
    ///
    /// - Parameter before: milliseconds since 1970.
    package func forget(deletedBefore before: UInt64) {
        for (uid, note) in dead where note.since < before && overlay[uid] == nil {
            guard var record = record(uid), record.forget(),
                let row = try? store.record(settings.id, uid, uidHash: uidHash(uid))
            else { continue }
            var note = note
            note.name = nil
            dead[uid] = note
            var new = row
            new.body = RecordCoding.bytes(record)
            new.profile = note.encode()
            committer.stage { $0.records.append(new) }
        }
    }

    /// A stored record is not what was written: it counts as unknown until a peer, or its file, brings it back.
    ///
    /// The person stays as it is known, and no file of it is touched meanwhile.
    package func noteDamage(_ uid: UID) {
        guard overlay[uid] == nil, damaged.insert(uid).inserted else { return }
        if let share = index.catalog.share(of: uid) {
            digest.replace(uidHash(uid), old: share, new: nil)
            index.setShare(uid, nil)
        }
        complain("the stored record \(uid.text) is damaged; it is fetched from a peer", about: uid)
        for observer in allObservers { observer.listFoundDamage(self) }
    }
}
