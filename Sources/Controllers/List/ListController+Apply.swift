import AddressBook
import JSON
import Replication

/// What becomes of an addition.
extension ListController: AddControllerDelegate {
    package func addController(_ controller: AddController, didAdd addition: Addition) -> Receipt {
        guard let session = sessions[addition.session] else {
            preconditionFailure("an addition comes from an open session")
        }
        fetched = [:]
        defer { fetched = nil }
        switch addition.content {
        case .card(let uid, let saved, let isFirstScan):
            let isNew = loaded(uid) == nil
            let receipt = write(addition.session, session.origin, isFirstScan ? .zero : replica.tick()) {
                editor in
                let sources = editor.add(uid, saved)
                return Base(showing: saved, by: sources, of: uid, editor: &editor, time: replica.now)
            }
            if isNew, !saved.saysAnythingTwice { note(uid, asAdded: true) }
            return receipt
        case .edit(let edit):
            return write(addition.session, session.origin, replica.tick()) { editor in
                editor.edit(edit)
                return Base(after: edit, editor: &editor, time: replica.now)
            }
        case .absence(let alive):
            return write(addition.session, session.origin, replica.tick()) { editor in
                editor.delete(alive)
                return nil
            }
        case .records(let records):
            return join(records, session, addition.session)
        case .command(let command):
            return write(addition.session, session.origin, replica.tick()) { editor in
                carryOut(command, &editor)
                return nil
            }
        }
    }

    private func write(
        _ session: SessionID,
        _ origin: Origin,
        _ time: HybridTime,
        _ body: (inout RecordEditor) -> Base?
    ) -> Receipt {
        var editor = editor(session: session.text, time: time)
        let base = body(&editor)
        let changed = editor.changed.sorted()
        let written = editor.fields
        for uid in changed {
            let after = editor.record(uid)
            let fields = written[uid] ?? []
            note(uid, session.text, origin, Self.what(record(uid), after, fields), fields)
        }
        take(&editor)
        return Receipt(uids: changed, base: base)
    }

    private func carryOut(_ command: Command, _ editor: inout RecordEditor) {
        switch command {
        case .remove(let uids):
            var alive: [UID: [Dot]] = [:]
            for uid in uids { alive[uid] = Array((editor.record(uid).fields[.alive] ?? [:]).keys) }
            editor.delete(alive)
        case .restore(let uids): editor.touch(uids)
        case .merge(let a, let b): editor.merge(a, b)
        case .distinguish(let a, let b): editor.distinguish(a, b)
        case .share(let key, let mark): editor.share(key, mark)
        case .resolve(let sources, let value, let phoneKey):
            editor.resolve(sources, value, phoneKey: phoneKey)
        }
    }

    private func join(_ records: [Record], _ entry: SessionEntry, _ session: SessionID) -> Receipt {
        let origin = entry.origin
        var receipt = Receipt()
        guard let peer = origin.peerDevice else {
            for other in records where joinOne(other, origin, session) { receipt.uids.append(other.uid) }
            return receipt
        }
        receipt.fault = fault(of: records, from: origin)
        guard receipt.fault == nil else { return receipt }
        if entry.isReadOnly {
            receipt.heldChanged = refuse(records, from: peer)
            return receipt
        }
        let before = leftOutUIDs(from: peer)
        for other in admit(records, from: peer) where joinOne(other, origin, session) {
            receipt.uids.append(other.uid)
        }
        receipt.heldChanged = before != leftOutUIDs(from: peer)
        return receipt
    }

    /// Why nothing of a peer's records is taken; nil if they may be looked at one by one.
    private func fault(of records: [Record], from origin: Origin) -> String? {
        if !replica.mayRenew,
            records.contains(where: { replica.overcounted(in: $0.seen).contains(replica.id) })
        {
            complain(
                "\(origin.peerName) again and again knows more of this machine than it gave out; is it a copy of it?"
            )
            return
                "more is known of this start than it gave out, for more than \(Replica.renewalsPerHour) times an hour"
        }
        if let peer = origin.peerDevice {
            if held[peer]?.bytes ?? 0 > settings.heldLimit {
                return
                    "more deletions are held than may be; say `contactsync resume \(settings.name) --delete` or `--restore`"
            }
            if refusedCounters[peer] ?? 0 > settings.refusedLimit {
                return "more is refused here than is noted"
            }
        }
        if areTooLarge(records) {
            complain("the book is full: what \(origin.peerName) sends has too many names and numbers for it")
            return "the book \(settings.name) holds as many names and numbers as it may, and takes no more"
        }
        guard index.catalog.storedCount + overlay.count + records.count > settings.recordLimit else {
            return nil
        }
        let known = index.catalog.storedCount + overlay.keys.count { index.catalog.share(of: $0) == nil }
        let new = Set(records.map(\.uid).filter { !isStored($0) && overlay[$0] == nil }).count
        guard new > 0, known + new > settings.recordLimit else { return nil }
        complain("the book is full: \(origin.peerName) sends more than \(settings.recordLimit) contacts")
        return "the book \(settings.name) holds \(settings.recordLimit) contacts, and takes no more"
    }

    /// Whether a peer's records would take more memory than they may; those that take no more than before never do.
    private func areTooLarge(_ records: [Record]) -> Bool {
        // Far from the limit nobody counts: no batch comes near a half of it.
        guard index.catalog.size > settings.profileLimit / 2 else { return false }
        let growth = records.reduce(0) { sum, record in
            guard record.isAlive, !record.uid.isBook else { return sum }
            let known = index.catalog.profile(of: record.uid)?.size ?? 0
            return sum + max(0, Profile(record).size - known)
        }
        return growth > 0 && index.catalog.size + growth > settings.profileLimit
    }

    /// Joins one state into ours.
    ///
    /// - Returns: whether ours changed.
    @discardableResult
    func joinOne(_ other: Record, _ origin: Origin, _ session: SessionID) -> Bool {
        replica.observe(other)
        let before = loaded(other.uid)
        let wasDamaged = damaged.contains(other.uid)
        var record = before?.record ?? Record(uid: other.uid)
        // A copy of this process gave out our dots a second time, or a peer makes things up.
        let overcounted = replica.overcounted(in: other.seen)
        if overcounted.contains(replica.id) {
            complain(
                "\(origin.peerName) knows more of this start than it gave out; it goes on as a new one"
            )
            replica.renew()
        }
        if !overcounted.isEmpty { rewrite(&record, hidden: other, of: overcounted) }
        let outcome = record.join(other, hash: hash)
        if !outcome.contradictions.isEmpty {
            complain("\(origin.peerName) gave one dot with two values (\(other.uid.text))", about: other.uid)
        }
        guard outcome.changed || before == nil || record != before?.record else { return false }
        if let peer = origin.peerDevice, let flaw = RecordLimits.flaw(in: record) {
            complain(
                "\(origin.peerName): the contact \(other.uid.text.prefix(100)) is left as it is here: \(flaw)"
            )
            outgrown[peer, default: []].insert(other.uid)
            return false
        }
        if !wasDamaged {
            let known = before?.record.fields ?? [:]
            let fields = Array(record.fields.filter { known[$0.key] != $0.value }.keys)
            note(
                other.uid,
                Self.writer(of: record, fields) ?? session.text,
                origin,
                Self.what(before?.record, record, fields),
                fields
            )
        }
        set(record, origin: outcome.equalsOther ? origin.peerDevice : nil)
        return true
    }

    /// Writes again, under new dots, what a foreign count of our own writes would hide.
    private func rewrite(_ record: inout Record, hidden other: Record, of old: Set<ReplicaID>) {
        for (key, versions) in record.fields {
            for (dot, version) in versions where old.contains(dot.replica) && other.fields[key]?[dot] == nil {
                var version = version
                if version.creation == nil, key.hasEntry { version.creation = dot }
                record.put(key, version, dot: replica.mint(), over: [dot])
            }
        }
    }

    /// The session that wrote the newest of these fields.
    private static func writer(of record: Record, _ fields: [FieldKey]) -> String? {
        // Without an array of all versions: that was a tenth of a join.
        var newest: Version?
        for field in fields {
            for (_, version) in record.fields[field] ?? [:]
            where newest.map({ $0.time < version.time }) ?? true {
                newest = version
            }
        }
        return newest?.session
    }

    func complain(_ text: String, about uid: UID? = nil) {
        guard complaints.last != text else { return }
        onComplaint(text, uid)
        complaints.append(text)
        if complaints.count > 20 { complaints.removeFirst() }
    }

    // MARK: History

    private func note(
        _ uid: UID,
        _ session: String,
        _ origin: Origin,
        _ what: String?,
        _ fields: [FieldKey]
    ) {
        guard let what, !uid.isBook else { return }
        history.append(
            HistoryRow(
                book: settings.id,
                uid: uid,
                time: replica.now,
                session: session,
                origin: origin.word,
                what: what,
                fields: fields.filter { !$0.isOwn }.map(\.text.text),
                peer: origin.peerDevice
            )
        )
    }

    /// The word for a change; nil where there is nothing that a person would call one.
    private static func what(_ before: Record?, _ after: Record, _ fields: [FieldKey]) -> String? {
        switch (before?.isAlive ?? false, after.isAlive) {
        case (false, true): return before == nil || before?.fields.isEmpty == true ? "added" : "restored"
        case (true, false): return "deleted"
        case (false, false): return before == nil ? "deleted" : nil
        case (true, true): break
        }
        if fields.contains(where: { !$0.isOwn }) { return "changed" }
        func count(_ prefix: String, _ record: Record?) -> Int {
            record?.fields.keys.count { $0.text.text.utf8.starts(with: prefix.utf8) } ?? 0
        }
        if count("@distinct/", after) > count("@distinct/", before) { return "split" }
        if count("@same/", after) > count("@same/", before) { return "merged" }
        return nil
    }
}
