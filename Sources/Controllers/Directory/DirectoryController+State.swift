package import AddressBook
import JSON
package import Replication

/// What is known of the files, in memory and in the store.
extension DirectoryController {
    var now: UInt64 { list.replica.now }
    var bookID: BookID { list.settings.id }

    /// Reads what the store knows.
    func load(_ known: KnownFiles?) throws(StoreFailure) {
        var known = known ?? KnownFiles()
        if known.isEmpty { try list.store.eachFile(bookID) { known.take($0) } }
        files = known.table
        for row in known.others { load(row) }
        // Its person may be another than it shows: what changed elsewhere may have split or joined persons that did not
        // change themselves. The index is asked once: through its owner it is copied each time.
        let index = list.index
        files.eachShown { if !index.isPerson($0) { unplanned.formUnion($0) } }
        noteToldFlaws()
        for blob in try list.store.blobs(bookID, kind: "directory") {
            guard let value = try? JSONReader.value(blob.value) else { continue }
            switch blob.key {
            case "identity": identity = FolderIdentity(json: value)
            case "scanned": wasScanned = true
            case "held": heldSince = value.unsigned
            case "shown": shownHead = value.unsigned ?? 0
            case "brake": brake = Brake(state: value, deletionLimit: list.settings.deletionLimit) ?? brake
            default: break
            }
        }
        isFirstScan = !wasScanned
        // A crash may have come between a change and the files that show it.
        unplanned.formUnion(try list.changes(after: shownHead))
        unplanned.formUnion(unshown)
        for blob in try list.store.blobs(bookID, kind: "clash") {
            guard let value = (try? JSONReader.value(blob.value))?.object,
                let since = value["since"]?.unsigned
            else { continue }
            clashes[UID(blob.key)] = Clash(
                files: Set((value["files"]?.array ?? []).compactMap(\.string).map { ExactString($0) }),
                since: since
            )
        }
    }

    /// A row that has more to tell than what the file holds.
    private func load(_ row: FileRow) {
        let name = ExactString(row.name)
        guard let stamp = FileStamp(numbers: row.stamp),
            let record = FileRecord.decode(row.state, stamp: stamp)
        else { return }
        // What it held no longer has to be seen twice again.
        note(gone: record.missing, of: name, isWholeFile: false)
        if var state = record.known {
            if stamp == .unknown { unplanned.formUnion(state.items.flatMap(\.uids)) }
            if record.intention != nil { state.stamp = .unknown }
            files[name] = state
        }
        // A file that was about to be written is looked at again: whatever lies there now is compared with both.
        guard let intention = record.intention else { return }
        lastIntentions[name] = intention
        unread.insert(name)
        for item in record.known?.items ?? [] { unplanned.insert(item.uid) }
        guard case .write(let next) = intention else { return }
        unplanned.formUnion(next.items.map(\.uid))
        doubtBases(of: next, known: record.known)
        if record.known == nil {
            var state = next
            state.stamp = .unknown
            state.items = []
            files[name] = state
        }
    }

    /// Persons without a file.
    var unshown: [UID] { list.index.persons { files.isShown($0) } }

    func stage(_ kind: String, _ key: String, _ value: JSONValue?) {
        committer.stage { $0.blobs.append((bookID, kind, key, value.map { JSONWriter.bytes($0) })) }
    }

    func noteScanned() {
        guard !wasScanned else { return }
        wasScanned = true
        stage("directory", "scanned", true)
    }

    /// Notes what a file holds, in memory and in the store, and what is missing from it.
    func store(_ name: ExactString, _ state: FileState?, intention: FileRecord.Intention? = nil) {
        tellFlaws(of: name, in: state)
        files[name] = state
        let missing = gone.isEmpty ? [] : gone.filter { $0.name == name }.map(\.item)
        let record = FileRecord(known: state, intention: intention, missing: missing)
        let stamp = isCompared(name, state) ? state?.stamp ?? .unknown : .unknown
        committer.stage { batch in
            if state == nil, intention == nil {
                batch.removedFiles.append((bookID, name.text))
            } else {
                batch.files.append(
                    FileRow(
                        book: bookID,
                        name: name.text,
                        stamp: stamp.numbers,
                        state: record.encode()
                    )
                )
            }
        }
    }

    /// Whether nobody in a file waits to be compared with it. If somebody does, the store has the file without its stamp: a
    /// save that says what its file said before changes no record, so that nothing else would tell the next start.
    private func isCompared(_ name: ExactString, _ state: FileState?) -> Bool {
        let waits =
            !unplanned.isEmpty
            && state?.items.contains { $0.uids.contains(where: unplanned.contains) } ?? false
        if waits { uncompared.insert(name) } else { uncompared.remove(name) }
        return !waits
    }

    /// A person was compared with its files, and these stay as they are.
    func noteCompared(_ person: [UID], but changed: (ExactString) -> Bool) {
        guard !uncompared.isEmpty else { return }
        for name in Set(person.flatMap { files.names(showing: $0) }).sorted()
        where uncompared.contains(name) && !changed(name) {
            store(name, files[name])
        }
    }

    /// Notes up to where in the feed files show what was changed, along with what is stored anyway, after many changes,
    /// and at the end of a run: what a start compares again does no harm, but takes its time.
    package func noteShown(_ enough: UInt64) {
        // What was added since the last turn is in the feed already where a batch went meanwhile, and in no plan yet.
        guard unplanned.isEmpty, list.isSettled, isUnoccupied, case .ours = standing,
            list.head >= shownHead + enough
        else {
            return
        }
        shownHead = list.head
        stage("directory", "shown", .number(shownHead))
    }

    // MARK: Bases

    /// The versions shown under a uid, newest first: those of the last day, at most eight, the newest always.
    ///
    /// One that perhaps was not shown counts as the oldest: whoever saved over the one before has not seen it, so that
    /// it must not be taken for what the save replaces.
    func bases(_ uid: UID) -> [Base] {
        let all = numberedBases(uid)
        guard !doubtfulBases.isEmpty else { return all.map(\.base) }
        return
            (all.filter { !doubtfulBases.contains($0.number) }
            + all.filter { doubtfulBases.contains($0.number) }).map(\.base)
    }

    /// Notes which versions a file would have shown that was about to be written when the last run ended.
    private func doubtBases(of next: FileState, known: FileState?) {
        for item in next.items
        where !(known?.items.contains { $0.uid == item.uid && $0.content == item.content } ?? false) {
            if let newest = numberedBases(item.uid).first { doubtfulBases.insert(newest.number) }
        }
    }

    /// The file shows what it showed before.
    func withdrawBases(of next: FileState) {
        for uid in Set(next.items.map(\.uid)) {
            for (number, _) in numberedBases(uid) where doubtfulBases.remove(number) != nil {
                withdraw(number, of: uid)
            }
        }
    }

    /// The file shows what was about to be written.
    func believeBases(of next: FileState) {
        guard !doubtfulBases.isEmpty else { return }
        for item in next.items { doubtfulBases.subtract(numberedBases(item.uid).prefix(1).map(\.number)) }
    }

    func numberedBases(_ uid: UID) -> [(number: Int64, base: Base)] {
        var all = recentBases[uid] ?? []
        let known = Set(all.map(\.number))
        // What the store does not know was never shown.
        let stored = list.isStored(uid) ? (try? list.store.bases(bookID, uid)) ?? [] : []
        for row in stored where !known.contains(row.number) {
            if let base = Base.decode(row.state) { all.append((row.number, base)) }
        }
        all.removeAll { withdrawnBases.contains($0.number) }
        all.sort { $0.number > $1.number }
        // A clock that is set right lets no version grow old: what an editor holds open meanwhile still counts.
        let steady = min(now, started.clock + (scheduler.uptime - started.uptime))
        let oldest = steady > Base.lifetime ? steady - Base.lifetime : 0
        // A version was shown until the next one was, however long ago that began, and is still if that one never was.
        // The newest was until its record ended, if no file shows it any more.
        if let ended = list.dead[uid]?.since, ended < oldest, !files.isShown(uid) { return [] }
        return all.enumerated().filter { at, _ in
            at == 0
                || at < Base.countLimit
                    && (all[at - 1].base.time >= oldest || doubtfulBases.contains(all[at - 1].number))
        }
        .map(\.element)
    }

    /// The numbers of all versions that are known of a uid, newest first.
    private func numbers(_ uid: UID) -> [Int64] {
        let stored = list.isStored(uid) ? (try? list.store.bases(bookID, uid)) ?? [] : []
        return Set(stored.map(\.number) + (recentBases[uid] ?? []).map(\.number))
            .subtracting(withdrawnBases).sorted(by: >)
    }

    /// Notes a version that is shown under a uid.
    ///
    /// - Returns: its number.
    @discardableResult
    func note(_ base: Base, of uid: UID) -> Int64 {
        let old = numbers(uid)
        // Later than what was noted before, whatever the clock says now.
        lastBaseNumber = max(lastBaseNumber + 1, Int64(now) << 10, (old.first ?? 0) + 1)
        let number = lastBaseNumber
        recentBases[uid, default: []].append((number, base))
        let state = base.encode()
        committer.stage { batch in
            batch.bases.append(
                BaseRow(book: bookID, name: uid.text, number: number, time: base.time, state: state)
            )
            for number in old.dropFirst(Base.countLimit - 1) {
                batch.removedBases.append((bookID, uid.text, number))
            }
        }
        committer.afterCommit { [weak self] in
            self?.recentBases[uid]?.removeAll { $0.number == number }
            if self?.recentBases[uid]?.isEmpty == true { self?.recentBases[uid] = nil }
        }
        return number
    }

    /// Takes back a version that was never shown; it counts no more from now on, and is in the store until the commit.
    func withdraw(_ number: Int64, of uid: UID) {
        recentBases[uid]?.removeAll { $0.number == number }
        withdrawnBases.insert(number)
        committer.stage { $0.removedBases.append((bookID, uid.text, number)) }
        committer.afterCommit { [weak self] in self?.withdrawnBases.remove(number) }
    }

    // MARK: Clashes

    func note(clash uid: UID, _ names: [ExactString]) {
        var clash = clashes[uid] ?? Clash(files: [], since: now)
        clash.files.formUnion(names)
        clash.since = now
        clashes[uid] = clash
        stage(
            "clash",
            uid.text,
            ["since": .number(clash.since), "files": .array(clash.files.sorted().map { .string($0.text) })]
        )
    }

    /// The clashes of the last day.
    package var listedClashes: [(uid: UID, files: [String])] {
        clashes.filter { $0.value.since + Self.clashLifetime > now }
            .map { ($0.key, $0.value.files.sorted().map(\.text)) }.sorted { $0.uid < $1.uid }
    }

    /// All that was set aside, by file and place.
    package var setAside: [(file: String, flaw: Flaw)] {
        var out: [(file: String, flaw: Flaw)] = unreadableNames.map {
            ($0, Flaw(reason: "its name is not UTF-8; rename it"))
        }
        for (name, state) in files.flawed {
            if let aside = state.aside { out.append((name.text, aside)) }
            for flaw in state.flaws { out.append((name.text, flaw)) }
        }
        return out
    }

    /// The file that a person is kept in, below the directory.
    package func file(of uids: [UID]) -> String? {
        guard let first = uids.first else { return nil }
        let names = Set(uids.flatMap { files.names(showing: $0) })
        return names.min { a, b in rank(a, first) < rank(b, first) }?.text
    }

    private func rank(_ name: ExactString, _ uid: UID) -> (Int, ExactString) {
        let items = files[name]?.items ?? []
        let isHome = items.contains { $0.uid == uid && $0.role != .copy }
        return (isHome ? 0 : 1, name)
    }
}

extension FolderIdentity {
    var json: JSONValue {
        [
            "device": .number(device), "inode": .number(inode), "marker": marker.map { .string($0) } ?? .null,
            "markerInode": markerInode.map { .number($0) } ?? .null,
        ]
    }

    init?(json: JSONValue) {
        guard let object = json.object, let device = object["device"]?.unsigned,
            let inode = object["inode"]?.unsigned
        else { return nil }
        self.init(
            device: device,
            inode: inode,
            marker: object["marker"]?.string,
            markerInode: object["markerInode"]?.unsigned
        )
    }
}
