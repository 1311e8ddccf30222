import AddressBook
import Contacts
import JSON
import Replication

/// Reading: from a name to what the file says, and from there to additions.
extension DirectoryController {
    /// Looks at files that may have changed, some in a turn, those that are gone first: a file that appears may be
    /// one of them renamed.
    ///
    /// - Returns: whether there was something to take in.
    func readSome() -> Bool {
        // What is decided holds of the files as they are known: none is read anew before they are on their way.
        guard case .ours = standing, !unread.isEmpty, round == nil, !isListing else { return false }
        if queue.isEmpty { queueUnread() }
        readAhead()
        var present: [(name: ExactString, entry: DirectoryEntry)] = []
        var count = 0
        while count < Self.perTurn, !isReadingAhead, let name = queue.popLast() {
            // Our own swap may be under way there; its end looks again.
            guard unread.contains(name), inFlight[name] == nil else {
                ahead[name] = nil
                continue
            }
            count += 1
            do {
                if let entry = try folder.stat(name.text) {
                    present.append((name, entry))
                } else {
                    unread.remove(name)
                    vanish(name)
                }
            } catch {
                recognise(atStart: false)
                return false
            }
        }
        var read: [Read] = []
        for (name, entry) in present {
            unread.remove(name)
            if let file = open(name, entry) { read.append(file) }
        }
        // First what files hold no longer, then what they hold anew: contacts may have moved between them.
        let taken = inOrder(read).map { ($0, takeKnown($0)) }
        for (file, items) in taken { takeNew(file, items) }
        return !taken.isEmpty
    }

    /// A file read as contacts.
    struct Read {
        var name: ExactString
        var stamp: FileStamp
        var bytes: ContentHash
        var parsed: ParsedFile
        var saved: [SavedCard]
        var contents: [ContentHash]
    }

    /// Puts what is unread in order: by name, so that every run takes files in alike. What is gone must be known
    /// before a file is taken for new, as it may be one of them renamed.
    private func queueUnread() {
        for name in unread where inFlight[name] == nil && files[name] != nil {
            do {
                guard try folder.stat(name.text) == nil else { continue }
                unread.remove(name)
                vanish(name)
            } catch { continue }
        }
        queue = unread.filter { inFlight[$0] == nil }.sorted { $0 > $1 }
        aheadFrom = queue.count
        ahead = [:]
    }

    /// Reads a file; nil if it says nothing new, or cannot be read as contacts, which is noted.
    private func open(_ name: ExactString, _ entry: DirectoryEntry) -> Read? {
        let old = files[name]
        if let old, old.stamp == entry.stamp, entry.kind == .file { return nil }
        let reading: FileReading
        let stamp: FileStamp
        if let known = ahead.removeValue(forKey: name), known.stamp == entry.stamp {
            (stamp, reading) = known
        } else {
            do {
                let read = try folder.read(name.text)
                (stamp, reading) = (read.stamp, add.reading(read.bytes))
            } catch {
                switch error.kind {
                case .missing: vanish(name)
                case .unsteady: break
                case .unreadable: setAside(name, .unknown, Flaw(reason: error.reason))
                }
                return nil
            }
        }
        let hashed = reading.bytes
        let intention = lastIntentions.removeValue(forKey: name)
        if case .write(let next) = intention, next.bytes == hashed {
            // The swap of the last run had happened; it only was not noted.
            believeBases(of: next)
            var state = next
            state.stamp = stamp
            store(name, state)
            return nil
        }
        if var old, old.bytes == hashed, !(old.items.isEmpty && intention != nil) {
            if old.aside != nil {
                // What came while it could not be read has waited.
                unplanned.formUnion(old.items.map(\.uid))
            }
            if case .write(let next) = intention { withdrawBases(of: next) }
            old.stamp = stamp
            old.aside = nil
            store(name, old)
            return nil
        }
        if intention != nil, reading.isBlank {
            // Our own write that a crash cut off: it is written again.
            lost(name, stamp, hashed, intention)
            return nil
        }
        switch reading.cards {
        case .success(let cards):
            return Read(
                name: name,
                stamp: stamp,
                bytes: hashed,
                parsed: cards.parsed,
                saved: cards.saved,
                contents: cards.contents
            )
        case .failure(let flaw):
            if intention != nil {
                lost(name, stamp, hashed, intention)
            } else {
                setAside(name, stamp, Flaw(line: flaw.line, column: flaw.column, reason: flaw.reason))
            }
            return nil
        }
    }

    /// A file that we had not finished writing holds nothing: what it showed is written there anew.
    private func lost(
        _ name: ExactString,
        _ stamp: FileStamp,
        _ bytes: ContentHash,
        _ intention: FileRecord.Intention?
    ) {
        guard var state = files[name] else { return }
        state.stamp = stamp
        state.bytes = bytes
        var uids = Set(state.items.flatMap(\.uids))
        if case .write(let next) = intention { uids.formUnion(next.items.flatMap(\.uids)) }
        leftovers[name] = uids
        unplanned.formUnion(uids)
        state.items = []
        store(name, state, intention: intention)
    }

    /// A file that cannot be read is left as it is; what was last known of it stays in force.
    private func setAside(_ name: ExactString, _ stamp: FileStamp, _ flaw: Flaw) {
        var state =
            files[name]
            ?? FileState(
                stamp: stamp,
                bytes: ContentHash(high: 0, low: 0),
                isArray: false,
                items: [],
                flaws: []
            )
        guard state.aside != flaw || state.stamp != stamp else { return }
        state.stamp = stamp
        state.aside = flaw
        store(name, state)
    }

    /// Files in the order in which they are taken in: by name, but of two that are new and write one uid the one whose
    /// content hashes smaller first, whatever their names.
    private func inOrder(_ read: [Read]) -> [Read] {
        func first(_ file: Read) -> ContentHash? { file.contents.min() }
        let ofUID = Dictionary(
            grouping: read.filter { files[$0.name] == nil && $0.parsed.items.contains { $0.uid != nil } },
            by: { $0.parsed.items.compactMap(\.uid).min() }
        )
        let clashing = Set(ofUID.values.filter { $0.count > 1 }.flatMap { $0.map(\.name) })
        let plain = read.filter { !clashing.contains($0.name) }
        let sorted = read.filter { clashing.contains($0.name) }.sorted { a, b in
            guard let x = first(a), let y = first(b), x != y else { return a.name < b.name }
            return x < y
        }
        return plain + sorted
    }

    /// A file is gone: its contacts are missing, until that has been seen twice.
    func vanish(_ name: ExactString) {
        let intention = lastIntentions.removeValue(forKey: name)
        guard let state = files[name] else {
            if case .write(let next) = intention { withdrawBases(of: next) }
            if intention != nil { store(name, nil) }
            return
        }
        files[name] = nil
        if intention == .remove {
            // We took it away ourselves and did not come to note it: that says nothing about who it showed.
            store(name, nil)
            unplanned.formUnion(state.items.flatMap(\.uids))
            return
        }
        let missing = state.items.filter { !isHeldElsewhere($0) }
        if missing.isEmpty {
            store(name, nil)
        } else {
            note(gone: missing, of: name, isWholeFile: true)
        }
    }

    func note(gone items: [HeldItem], of name: ExactString, isWholeFile: Bool) {
        let due = scheduler.uptime + Self.absenceDelay
        gone += items.map { Gone(name: name, item: $0, isWholeFile: isWholeFile, due: due) }
    }

    /// Whether an item that is gone was a copy, or has one: that is the contact's file from now on.
    private func isHeldElsewhere(_ item: HeldItem) -> Bool {
        if item.role == .copy { return true }
        for name in files.names(showing: item.uid).sorted() {
            guard var state = files[name],
                let at = state.items.firstIndex(where: { $0.role == .copy && $0.uid == item.uid })
            else { continue }
            state.items[at].role = .own
            store(name, state)
            return true
        }
        return false
    }

    // MARK: Taking in

    /// Takes in what the file held before; what it holds no longer is gone, what is new is left nil.
    private func takeKnown(_ file: Read) -> [HeldItem?] {
        var left = files[file.name]?.items ?? []
        var items: [HeldItem?] = .init(repeating: nil, count: file.parsed.items.count)
        let matches = match(file, &left)
        for (at, held) in matches { items[at] = update(held, file, at) }
        let copies = matches.compactMap { at, held in items[at] == nil ? held.uid : nil }
        files[file.name] = FileState(
            stamp: file.stamp,
            bytes: file.bytes,
            isArray: file.parsed.isArray,
            items: items.compactMap { $0 }
        )
        note(gone: left.filter { !isHeldElsewhere($0) }, of: file.name, isWholeFile: false)
        unplanned.formUnion(left.map(\.uid))
        unplanned.formUnion(copies)
        return items
    }

    /// Takes in what the file did not hold before, and notes what it holds now.
    private func takeNew(_ file: Read, _ known: [HeldItem?]) {
        var items = known
        // A copy may have become the contact's file meanwhile.
        let now = files[file.name]?.items ?? []
        for (at, item) in zip(items.indices.filter { items[$0] != nil }, now) { items[at]?.role = item.role }
        for at in items.indices where items[at] == nil {
            items[at] = arrive(file, at, beside: items.compactMap { $0 })
        }
        // Persons of whom the rest is told are compared once they are judged.
        unplanned.formUnion(items.compactMap { $0 }.filter { $0.role != .own }.map(\.uid))
        unplanned.formUnion(items.compactMap { $0?.uid }.filter { !list.isWaiting(toSettle: $0) })
        store(
            file.name,
            FileState(
                stamp: file.stamp,
                bytes: file.bytes,
                isArray: file.parsed.isArray,
                items: items.compactMap { $0 },
                flaws: file.parsed.flaws
            )
        )
    }

    /// Which item of the file was which: by uid, then by equal content, then by equal number or name where only one
    /// fits, never by position.
    private func match(_ file: Read, _ left: inout [HeldItem]) -> [(Int, HeldItem)] {
        var out: [(Int, HeldItem)] = []
        var open = Array(file.parsed.items.indices)
        func take(_ fits: (Int, HeldItem) -> Bool, onlyOne: Bool) {
            for at in open {
                let fitting = left.indices.filter { fits(at, left[$0]) }
                guard let place = fitting.first, !onlyOne || fitting.count == 1 else { continue }
                if onlyOne, open.count(where: { fits($0, left[place]) }) != 1 { continue }
                out.append((at, left.remove(at: place)))
                open.removeAll { $0 == at }
            }
        }
        func uid(_ at: Int) -> UID? { file.parsed.items[at].uid }
        take(
            { at, item in
                uid(at) != nil && (item.written.map { UID($0) } ?? item.uid) == uid(at)
                    && item.content == file.contents[at]
            },
            onlyOne: false
        )
        take(
            { at, item in uid(at) != nil && (item.written.map { UID($0) } ?? item.uid) == uid(at) },
            onlyOne: false
        )
        take({ at, item in uid(at).map { item.uid == $0 } ?? false }, onlyOne: false)
        take({ at, item in uid(at).map { item.uids.contains($0) } ?? false }, onlyOne: true)
        take({ at, item in uid(at) == nil && item.content == file.contents[at] }, onlyOne: false)
        guard !left.isEmpty, open.contains(where: { uid($0) == nil }) else { return out }
        // By what the file showed, which a peer may have changed since, then by what the records say now.
        let shown = Dictionary(left.map { ($0.uid, bases($0.uid).first) }, uniquingKeysWith: { a, _ in a })
        func base(_ item: HeldItem) -> Base? { shown[item.uid] ?? nil }
        take(
            { at, item in uid(at) == nil && base(item)?.sharesNumber(file.saved[at]) == true },
            onlyOne: true
        )
        take({ at, item in uid(at) == nil && self.sharesNumber(file.saved[at], item) }, onlyOne: true)
        take({ at, item in uid(at) == nil && base(item)?.hasName(file.saved[at]) == true }, onlyOne: true)
        take({ at, item in uid(at) == nil && self.hasName(file.saved[at], item) }, onlyOne: true)
        return out
    }

    func sharesNumber(_ saved: SavedCard, _ item: HeldItem) -> Bool {
        let mine = Set(saved.fields.compactMap(\.phoneKey))
        guard !mine.isEmpty else { return false }
        return item.uids.contains { uid in
            list.index.catalog.profile(of: uid)?.phones.keys.contains { mine.contains($0) } ?? false
        }
    }

    func hasName(_ saved: SavedCard, _ item: HeldItem) -> Bool {
        let name = PersonName(PersonName.shown(saved[.name]) ?? "")
        guard !name.isEmpty else { return false }
        return item.uids.contains { list.index.catalog.profile(of: $0)?.name.equals(name) ?? false }
    }

    /// An item that the file held before.
    ///
    /// - Returns: nil for a copy that says something of its own now: that is an addition to what the other says.
    private func update(_ held: HeldItem, _ file: Read, _ at: Int) -> HeldItem? {
        var item = held
        let contact = file.parsed.items[at].contact
        item.isPlain = contact.form == .plain
        item.written = contact.uid
        guard item.content != file.contents[at] || file.saved[at].saysAnythingTwice else { return item }
        if item.role == .copy { return nil }
        item.content = file.contents[at]
        take(file.saved[at], into: &item)
        return item
    }

    /// Adds a save of a known item as an edit of what it showed, or, where nothing is known of that, as an addition.
    func take(_ saved: SavedCard, into item: inout HeldItem) {
        let bases = bases(item.uid)
        let receipt: Receipt
        if bases.isEmpty || item.uids.contains(where: { list.damaged.contains($0) }) {
            // Nothing is known of what it showed, or what it showed is damaged: all of it is added.
            receipt = add.add(saved, uid: item.uid, isFirstScan: isFirstScan)
        } else {
            let edit = CardEdit(saved, bases: bases)
            let known = edit.base.uids.contains { list.index.person(of: $0) != nil }
            guard !edit.isEmpty || !known else {
                item.uids = edit.base.uids
                return
            }
            receipt = add.add(edit)
        }
        guard let base = receipt.base else { return }
        item.uids = base.uids
        note(base, of: item.uid)
    }

    /// Bytes that somebody saved into a file after we had replaced it: an edit of what it showed then.
    package func takeLate(_ name: String?, _ bytes: [UInt8]) {
        guard let parsed = try? ParsedFile(bytes) else { return }
        let held = name.flatMap { files[ExactString($0)]?.items } ?? []
        for parsedItem in parsed.items {
            let saved = add.saved(parsedItem.contact)
            let content = saved.content(hash)
            let uid = parsedItem.uid ?? UID(MadeUID.make(parsedItem.contact.card, hash: hash))
            let known =
                held.first { $0.uid == uid || $0.uids.contains(uid) }
                ?? (parsedItem.uid == nil && held.count == 1 && parsed.items.count == 1 ? held[0] : nil)
            var item =
                known
                ?? HeldItem(
                    uid: uid,
                    uids: [uid],
                    content: content,
                    isPlain: saved.isPlain,
                    written: parsedItem.contact.uid
                )
            guard known?.content != content else { continue }
            take(saved, into: &item)
            unplanned.insert(item.uid)
        }
        wake()
    }
}
