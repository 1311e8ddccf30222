import AddressBook
import Contacts
import JSON
package import Replication

/// Records between the store and the index.
extension ListController {
    /// A record as it is now; nil if there is none.
    ///
    /// A stored record that differs from what was written is treated as if there were none: the next exchange with a
    /// peer finds the difference and brings it back.
    package func record(_ uid: UID) -> Record? { loaded(uid)?.record }

    func loaded(_ uid: UID) -> Loaded? {
        if let loaded = overlay[uid] ?? fetched?[uid] { return loaded }
        guard isStored(uid), !damaged.contains(uid),
            let row = try? store.record(settings.id, uid, uidHash: uidHash(uid))
        else { return nil }
        guard !row.isDamaged, let value = try? JSONReader.value(row.body, maxDepth: RecordLimits.depth),
            let record = try? RecordCoding.decode(value)
        else {
            noteDamage(uid)
            return nil
        }
        let loaded = Loaded(record: record, origin: row.origin)
        fetched?[uid] = loaded
        return loaded
    }

    /// Whether the store holds a record of that uid, damaged or not.
    func isStored(_ uid: UID) -> Bool { index.catalog.share(of: uid) != nil || damaged.contains(uid) }

    func uidHash(_ uid: UID) -> ContentHash { hash.hash(Array(uid.text.utf8)) }

    /// An editor over the records as they are.
    func editor(session: String, time: HybridTime) -> RecordEditor {
        RecordEditor(
            time: time,
            session: session,
            hash: hash,
            mint: { [replica] in replica.mint() },
            load: { [unowned self] in record($0) }
        )
    }

    /// Takes over what an editor changed.
    func take(_ editor: inout RecordEditor) {
        for uid in editor.changed { set(editor.record(uid), origin: nil) }
    }

    /// Puts a record in the place of what was known.
    func set(_ record: Record, origin: String?) {
        let uid = record.uid
        overlay[uid] = Loaded(record: record, origin: origin)
        if !composing.isEmpty { composing.forget(index.cardUID(of: uid) ?? uid) }
        note(uid, asAdded: false)
        damaged.remove(uid)
        for peer in outgrown.keys { outgrown[peer]?.remove(uid) }
        pending.insert(uid)
        if !refused.isEmpty { reviewRefused(record) }
        if uid.isBook {
            noteShared(record)
            return
        }
        dirty.insert(uid)
        if record.isAlive {
            dead[uid] = nil
            unjudged[uid] = .some(Profile(record))
        } else {
            dead[uid] = DeadNote(record, since: dead[uid]?.since ?? replica.now)
            unjudged[uid] = .some(nil)
        }
    }

    private func noteShared(_ record: Record) {
        for (key, mark) in SharedMark.marks(in: record) {
            // Said and taken back within one turn is nothing new, and neither may be left behind.
            unjudgedShared[key] = index.catalog.mark(of: key) == mark ? nil : .some(mark)
        }
    }

    // MARK: The store

    /// Reads the small parts of all records and computes persons.
    func load() throws(StoreFailure) {
        var catalog = Catalog()
        try store.eachProfile(settings.id) { load($0, into: &catalog) }
        index = PersonsIndex(catalog: catalog, policy: settings.policy)
        // A record can be read once it is known which are stored.
        if let book = record(.book) { _ = index.apply([], shared: SharedMark.marks(in: book)) }
        head = try store.head(settings.id)
        committedHead = head
        try loadHeld()
        try loadConflicts()
    }

    private func load(_ row: ProfileRow, into catalog: inout Catalog) {
        if row.isDamaged {
            damaged.insert(row.uid)
            return
        }
        digest.replace(row.uidHash, old: nil, new: row.digest)
        catalog.setShare(row.uid, row.digest)
        if row.uid.isBook { return }
        if let note = DeadNote(decoding: row.profile) {
            dead[row.uid] = note
        } else if let profile = Profile.decode(uid: row.uid, row.profile) {
            catalog.replace(row.uid, with: profile)
        }
    }

    /// The records that changed after a place in the feed.
    func changes(after place: UInt64) throws(StoreFailure) -> Set<UID> {
        var uids: Set<UID> = []
        var reached = place
        while true {
            let rows = try store.records(
                settings.id,
                after: reached,
                limit: Self.rowsAtOnce,
                maxBytes: Self.bytesAtOnce,
                withoutBodiesFrom: ""
            )
            guard let last = rows.last else { return uids }
            reached = last.seq
            uids.formUnion(rows.map(\.uid).filter { !$0.isBook })
        }
    }

    private static let rowsAtOnce = 1000
    /// Bodies are not looked at, but come along.
    private static let bytesAtOnce = 4 << 20

    /// Adds what changed to the batch that is about to go.
    ///
    /// - Returns: the records, which are yet to be written out.
    func collect(_ batch: inout Batch) -> RowWriting? {
        precondition(inFlight.isEmpty, "one batch goes at a time")
        guard !pending.isEmpty || !history.isEmpty else { return nil }
        batch.history += history
        batch.meta.append(("clock", Array(String(replica.clock.latest.bits).utf8)))
        history = []
        inFlight = pending
        pending = []
        let changed = inFlight.sorted().compactMap { uid in overlay[uid].map { unwritten(uid, $0) } }
        let (book, head, hash) = (settings.id, head, hash)
        committer.afterCommit { [weak self] in self?.committed(head) }
        guard !changed.isEmpty else { return nil }
        return RowWriting(count: changed.count) {
            changed.map { $0.row(of: book, hash) }
        } written: { [weak self] in
            self?.written($0)
        }
    }

    private func unwritten(_ uid: UID, _ loaded: Loaded) -> UnwrittenRecord {
        head += 1
        let summary: UnwrittenRecord.Summary =
            if let note = dead[uid] {
                .dead(note)
            } else if uid.isBook {
                .book
            } else {
                // A batch that goes right after another holds what is not judged yet: the index has it as it was.
                .alive((unjudged[uid] ?? nil) ?? index.catalog.profile(of: uid) ?? Profile(loaded.record))
            }
        return UnwrittenRecord(record: loaded.record, origin: loaded.origin, seq: head, summary: summary)
    }

    private func written(_ rows: [RecordRow]) {
        for row in rows {
            digest.replace(row.uidHash, old: index.catalog.share(of: row.uid), new: row.digest)
            index.setShare(row.uid, row.digest)
        }
    }
}

/// A record that is to be stored.
private struct UnwrittenRecord: Sendable {
    enum Summary: Sendable {
        case alive(Profile)
        case dead(DeadNote)
        case book
    }

    let record: Record
    let origin: String?
    let seq: UInt64
    let summary: Summary

    func row(of book: BookID, _ hash: HashFunction) -> RecordRow {
        let body = RecordCoding.bytes(record)
        return RecordRow(
            book: book,
            uid: record.uid,
            uidHash: hash.hash(Array(record.uid.text.utf8)),
            seq: seq,
            digest: record.digestHash(hash, of: body),
            profile: profile,
            body: body,
            origin: origin
        )
    }

    private var profile: [UInt8] {
        switch summary {
        case .alive(let profile): profile.encode()
        case .dead(let note): note.encode()
        case .book: []
        }
    }
}

extension DeadNote {
    /// The note of a dead record.
    init(_ record: Record, since: UInt64) {
        // Of two words of one time the same on every machine and after every start.
        func latest(_ key: FieldKey) -> Version? {
            (record.fields[key] ?? [:]).max { ($0.value.time, $0.key) < ($1.value.time, $1.key) }?.value
        }
        let (last, name) = (latest(.deleted), latest(.name))
        self.init(
            name: PersonName.shown(name?.value),
            time: last?.time ?? .zero,
            session: last?.session ?? "",
            since: record.hasForgottenValues ? 0 : since
        )
    }

    private static let tag = UInt8(ascii: "D")

    /// The form in the store: a tag, then JSON.
    func encode() -> [UInt8] {
        let value: JSONValue = [
            "name": name.map { .string($0) } ?? .null, "time": .number(time.bits),
            "session": .string(session), "since": .number(since),
        ]
        return [Self.tag] + JSONWriter.bytes(value)
    }

    /// Reads what `encode` wrote; nil for the profile of a living record.
    init?(decoding bytes: [UInt8]) {
        guard bytes.first == Self.tag, let value = try? JSONReader.value(Array(bytes.dropFirst())),
            let object = value.object, let time = object["time"]?.unsigned,
            let session = object["session"]?.string
        else { return nil }
        let deleted = HybridTime(bits: time)
        self.init(
            name: object["name"]?.string,
            time: deleted,
            session: session,
            since: object["since"]?.unsigned ?? deleted.milliseconds
        )
    }
}
