import AddressBook
import JSON
package import Replication

/// What a peer sends that would delete more than anybody meant: stored beside the book, neither joined nor passed
/// on, until a person decides (DESIGN.md 5, "Brake").
extension ListController {
    /// The held records of one peer.
    package struct Held: Sendable {
        package private(set) var records: [UID: Record] = [:]
        package var reason = ""
        /// Milliseconds since 1970.
        package var since: UInt64 = 0
        private var sizes: [UID: Int] = [:]
        /// Bytes of their texts.
        package private(set) var bytes = 0

        /// Puts a record, whose text has so many bytes, in the place of what is held under its uid; nil takes that out.
        mutating func put(_ record: Record?, bytes size: Int = 0, under uid: UID) {
            bytes += size - (sizes[uid] ?? 0)
            sizes[uid] = record == nil ? nil : size
            records[uid] = record
        }
    }

    /// The records of a peer that were not joined.
    package func heldUIDs(from peer: String) -> Set<UID> { Set(held[peer]?.records.keys.map { $0 } ?? []) }

    /// The persons that would be deleted by what a peer sent.
    package func heldPersons(from peer: String) -> [UID] {
        Set((held[peer]?.records.keys.map { $0 } ?? []).compactMap { index.person(of: $0)?[0] }).sorted()
    }

    /// Takes out of a peer's records those that have to wait.
    ///
    /// - Returns: what may be joined now.
    func admit(_ records: [Record], from peer: String) -> [Record] {
        var deleting: [UID: Record] = [:]
        var open: [Record] = []
        for record in records {
            var whole = record
            if let before = held[peer]?.records[record.uid] { _ = whole.join(before, hash: hash) }
            if wouldDelete(whole) {
                deleting[record.uid] = whole
            } else {
                open.append(whole)
                release(record.uid, from: peer)
            }
        }
        guard !deleting.isEmpty else { return open }
        var waiting = held[peer]?.records ?? [:]
        waiting.merge(deleting) { $1 }
        let persons = Set(
            waiting.keys.compactMap { uid -> UID? in
                guard let person = index.person(of: uid), person.allSatisfy({ waiting[$0] != nil }) else {
                    return nil
                }
                return person[0]
            }
        )
        var brake = peerBrakes[peer] ?? Brake(deletionLimit: settings.deletionLimit)
        let verdict = brake.judge(pending: persons.sorted(), now: Int64(replica.now), count: index.count)
        peerBrakes[peer] = brake
        stageHeld("brake", peer, brake.state)
        switch verdict {
        case .believe:
            let all = Array(waiting.values)
            for uid in waiting.keys { release(uid, from: peer) }
            return open + all
        case .hold(let reason):
            var entry = held[peer] ?? Held()
            if entry.records.isEmpty { entry.since = replica.now }
            let what =
                reason.isAll
                ? "all \(reason.deletions) contacts" : "\(reason.deletions) of \(reason.held) contacts"
            entry.reason =
                "a peer deletes \(what); say `contactsync resume \(settings.name) --delete` or `--restore`"
            if entry.records.isEmpty { tell("hold", [("reason", entry.reason)], peer: peer) }
            for (uid, record) in deleting {
                let value: JSONValue = [
                    "since": .number(entry.since), "reason": .string(entry.reason),
                    "record": RecordCoding.encode(record),
                ]
                let bytes = stageHeld("held", peer + "/" + uid.text, value)
                entry.put(record, bytes: bytes, under: uid)
            }
            held[peer] = entry
            return open
        }
    }

    /// A person decides on all that is held: it is joined, and with `deleting` false lives on.
    package func resume(deleting: Bool, session: SessionID) {
        let all = held
        for (peer, entry) in all {
            peerBrakes[peer]?.decided()
            if let state = peerBrakes[peer]?.state { stageHeld("brake", peer, state) }
            for (uid, record) in entry.records.sorted(by: { $0.key < $1.key }) {
                release(uid, from: peer)
                joinOne(record, .peer(device: peer, name: ""), session)
            }
            guard !deleting else { continue }
            var editor = editor(session: session.text, time: replica.tick())
            editor.touch(entry.records.keys.sorted())
            take(&editor)
        }
    }

    func loadHeld() throws(StoreFailure) {
        for blob in try store.blobs(settings.id, kind: "brake") {
            guard let value = try? JSONReader.value(blob.value) else { continue }
            peerBrakes[blob.key] = Brake(state: value, deletionLimit: settings.deletionLimit)
        }
        for blob in try store.blobs(settings.id, kind: "held") {
            guard let slash = blob.key.firstIndex(of: "/"),
                let value = try? JSONReader.value(blob.value, maxDepth: RecordLimits.depth + 1),
                let object = value.object,
                let record = object["record"].flatMap({ try? RecordCoding.decode($0) })
            else { continue }
            var entry = held[String(blob.key[..<slash])] ?? Held()
            entry.put(record, bytes: blob.value.count, under: record.uid)
            entry.since = object["since"]?.unsigned ?? 0
            entry.reason = object["reason"]?.string ?? ""
            held[String(blob.key[..<slash])] = entry
        }
    }

    /// Whether joining it would end a record that lives here.
    private func wouldDelete(_ other: Record) -> Bool {
        guard let ours = record(other.uid), ours.isAlive, !other.uid.isBook else { return false }
        var joined = ours.life
        _ = joined.join(other.life, hash: hash)
        return !joined.isAlive
    }

    private func release(_ uid: UID, from peer: String) {
        guard held[peer]?.records[uid] != nil else { return }
        held[peer]?.put(nil, under: uid)
        stageHeld("held", peer + "/" + uid.text, nil)
        if held[peer]?.records.isEmpty == true {
            held[peer] = nil
            tell("release", [], peer: peer)
        }
    }

    /// - Returns: the bytes of the value's text.
    @discardableResult
    private func stageHeld(_ kind: String, _ key: String, _ value: JSONValue?) -> Int {
        let bytes = value.map { JSONWriter.bytes($0) }
        committer.stage { $0.blobs.append((settings.id, kind, key, bytes)) }
        return bytes?.count ?? 0
    }
}
