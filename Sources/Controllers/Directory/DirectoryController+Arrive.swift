import AddressBook
import Contacts
import JSON
import Replication

/// An item that its file did not hold before: a rename, a clash, or an addition.
extension DirectoryController {
    /// - Parameter siblings: what the same file holds besides, as far as it is taken in.
    func arrive(_ file: Read, _ at: Int, beside siblings: [HeldItem]) -> HeldItem {
        let parsed = file.parsed.items[at]
        let saved = file.saved[at]
        let content = file.contents[at]
        let uid = parsed.uid ?? UID(MadeUID.make(parsed.contact.card, hash: hash))
        var item = HeldItem(
            uid: uid,
            uids: [uid],
            content: content,
            isPlain: parsed.contact.form == .plain,
            written: parsed.contact.uid
        )

        if let place = renamed(parsed.uid, saved, content) {
            let old = gone.remove(at: place)
            releaseIfBack()
            item.uid = old.item.uid
            item.uids = old.item.uids
            item.role = old.item.role
            if old.name != file.name { storeMissing([old.name]) }
            if old.item.content != content { take(saved, into: &item) }
            return item
        }

        if let moved = moved(file, at) { return moved }
        if let held = siblings.first(where: { $0.uids.contains(uid) }) {
            return clash(item, file.name, [], held, parsed, saved)
        }
        let others = files.names(showing: uid).filter { $0 != file.name }.sorted()
        if let other = others.first, let held = files[other]?.items.first(where: { $0.uids.contains(uid) }) {
            return clash(item, file.name, others, held, parsed, saved)
        }
        if let (other, held) = beingWritten(uid) {
            // What it shows there was never seen, so this cannot be an edit of it.
            return clash(item, file.name, [other], held, parsed, saved)
        }
        if let other = claims[uid], other != file.name, files[other] != nil {
            // The uid is written there, but belongs to this contact: the other was told apart from it.
            note(clash: uid, [other, file.name])
        }
        take(saved, into: &item)
        return item
    }

    /// The item of a file that we are writing, where somebody has moved it to another name before we know that it lies
    /// there: it takes the other's place when that is seen to be gone.
    private func moved(_ file: Read, _ at: Int) -> HeldItem? {
        for case .write(let next) in inFlight.values
        where next.bytes == file.bytes && next.items.indices.contains(at) {
            var item = next.items[at]
            item.role = .copy
            return item
        }
        return nil
    }

    /// The file that is being written for a record, and what will show it there.
    private func beingWritten(_ uid: UID) -> (ExactString, HeldItem)? {
        inFlight.compactMap { name, intention -> (ExactString, HeldItem)? in
            guard case .write(let next) = intention else { return nil }
            return next.items.first { $0.uids.contains(uid) }.map { (name, $0) }
        }
        .min { $0.0 < $1.0 }
    }

    /// Where this is the file that went missing: it says the same uid, the same content, or is the only one with the
    /// same name and number.
    private func renamed(_ uid: UID?, _ saved: SavedCard, _ content: ContentHash) -> Int? {
        guard !gone.isEmpty else { return nil }
        if let uid {
            if let place = gone.firstIndex(where: {
                $0.item.written.map { UID($0) } == uid || $0.item.uid == uid
            }) {
                return place
            }
            return nil
        }
        if let place = gone.firstIndex(where: { $0.item.content == content }) { return place }
        let alike = gone.indices.filter {
            sharesNumber(saved, gone[$0].item) && hasName(saved, gone[$0].item)
        }
        return alike.count == 1 ? alike[0] : nil
    }

    /// One uid in two files (DESIGN.md 5): equal content is left, compatible names are united, others kept apart.
    private func clash(
        _ item: HeldItem,
        _ name: ExactString,
        _ others: [ExactString],
        _ held: HeldItem,
        _ parsed: ParsedFile.Item,
        _ saved: SavedCard
    ) -> HeldItem {
        note(clash: item.uid, others + [name])
        var item = item
        if held.content == item.content, !saved.saysAnythingTwice || isKnown(saved, item.uid) {
            item.role = .copy
            item.uids = held.uids
            return item
        }
        // The other may have come in the same turn: names are known once persons are judged.
        list.settle()
        let mine = PersonName(PersonName.shown(saved[.name]) ?? "")
        let theirs = list.index.catalog.profile(of: item.uid)?.name ?? PersonName("")
        if mine.isCompatible(with: theirs) {
            let receipt = add.add(saved, uid: item.uid, isFirstScan: isFirstScan)
            if let base = receipt.base { note(base, of: item.uid) }
            return item
        }
        let taken = item.uid
        item.uid = UID(MadeUID.apart(parsed.contact.card, hash: hash))
        item.uids = [item.uid]
        item.role = .apart
        claims[taken] = name
        take(saved, into: &item)
        add.add(.distinguish(list.index.person(of: taken) ?? [taken], [item.uid]))
        return item
    }

    /// Whether the record holds every field of a card: of two entries that say the same number a card shows one, so
    /// that equal cards may still say different things.
    private func isKnown(_ saved: SavedCard, _ uid: UID) -> Bool {
        guard let record = list.record(uid) else { return false }
        return saved.fields.allSatisfy { field in
            CardFields.isBookkeeping(field.key)
                || record.values(field.key).values.contains { $0.value == field.value }
        }
    }
}
