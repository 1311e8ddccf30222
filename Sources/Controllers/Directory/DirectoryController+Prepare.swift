import AddressBook
import Contacts
import JSON
import Replication

/// Preparing: the bytes of files that are to be written, and what is to be known of them.
extension DirectoryController {
    /// The change of a file that is there; nil where somebody saved it meanwhile.
    func prepare(_ name: ExactString, _ changes: [Int: ItemChange]) -> Prepared? {
        guard let state = files[name] else { return nil }
        let all = changes.values.flatMap { change -> [UID] in
            if case .show(let person) = change { return person.card.uids }
            return []
        }
        let uids = Set(all + state.items.flatMap(\.uids))
        guard let (bytes, _) = try? folder.read(name.text), hash.hash(bytes) == state.bytes,
            let parsed = try? ParsedFile(bytes), parsed.items.count == state.items.count
        else {
            // Somebody saved it meanwhile; that is read first.
            unread.insert(name)
            unplanned.formUnion(uids)
            wake()
            return nil
        }
        if changes.count == state.items.count,
            changes.values.allSatisfy({ if case .remove = $0 { true } else { false } }),
            parsed.flaws.isEmpty
        {
            return Prepared(
                job: .remove(name: name.text, expected: state.bytes),
                intention: .remove,
                uids: uids,
                bases: []
            )
        }
        var next = state
        next.items = []
        next.stamp = .unknown
        var texts: [Int: [UInt8]?] = [:]
        var bases: [(uid: UID, number: Int64)] = []
        for (at, item) in state.items.enumerated() {
            let parsedItem = parsed.items[at]
            switch changes[at] {
            case nil: next.items.append(item)
            case .remove: texts[parsedItem.place] = .some(nil)
            case .show(let person):
                let (object, shown) = written(person, item, parsedItem.written)
                texts[parsedItem.place] = JSONWriter.bytes(.object(object), .indented)
                next.items.append(shown)
                bases.append((shown.uid, note(person.base(at: now), of: shown.uid)))
            }
        }
        let out = FileText.replacing(bytes, parsed, texts)
        next.bytes = hash.hash(out)
        // Only what was carried along may have any.
        next.flaws = parsed.flaws.isEmpty ? [] : (try? ParsedFile(out))?.flaws ?? []
        return Prepared(
            job: .write(FileWrite(name: name.text, bytes: out, expected: state.bytes)),
            intention: .write(next),
            uids: uids,
            bases: bases
        )
    }

    /// The object that shows a card in the place of an item, in the item's form if that can say it.
    private func written(
        _ person: ComposedPerson,
        _ item: HeldItem,
        _ like: JSONObject
    ) -> (JSONObject, HeldItem) {
        let card = person.card
        let isTold = item.written != nil || MadeUID.make(card.card, hash: hash) != card.uid.text
        let uid = isTold ? card.uid.text : nil
        var shown = HeldItem(
            uid: card.uid,
            uids: card.uids,
            content: person.content,
            isPlain: item.isPlain,
            written: uid
        )
        if item.isPlain, let plain = CardWriter.plain(card.card, uid: uid, like: like) {
            return (plain, shown)
        }
        shown.isPlain = false
        return (CardWriter.card(card.card, uid: uid, like: item.isPlain ? nil : like), shown)
    }

    /// A new file for a person.
    ///
    /// - Parameter names: the folded names of the round's other new files; this one's is added.
    func prepare(_ person: ComposedPerson, _ names: inout Set<String>) -> Prepared {
        let (card, drawing) = (person.card, person.drawing(hash))
        let lost = leftovers.filter { !$0.value.isDisjoint(with: card.uids) }.keys.min()
        if let lost { leftovers[lost] = nil }
        let title = card.name ?? Self.substitute(card)
        let name =
            lost?.text
            ?? folder.freeName(shown: title, uid: card.uid.text) { folded in
                files.isTaken(folded: folded) || names.contains(folded) || isMissing(folded)
                    || flying?.names.contains(folded) ?? false
            }
        names.insert(name.lowercased())
        let item = HeldItem(
            uid: card.uid,
            uids: card.uids,
            content: person.content,
            isPlain: false,
            written: card.uid.text
        )
        let number = note(person.base(at: now), of: card.uid)
        let state = FileState(stamp: .unknown, bytes: drawing.textHash, isArray: false, items: [item])
        let expected = lost.flatMap { files[$0]?.bytes }
        return Prepared(
            job: .write(FileWrite(name: name, bytes: drawing.text, expected: expected)),
            intention: .write(state),
            uids: Set(card.uids),
            bases: [(card.uid, number)]
        )
    }

    /// Whether a file of that name is missing: what is known of it must last until its absence is believed.
    private func isMissing(_ folded: String) -> Bool {
        gone.contains { $0.isWholeFile && $0.name.text.lowercased() == folded }
    }

    /// What a file is named after where the contact has no name: an organisation, else a number.
    private static func substitute(_ card: PersonCard) -> String? {
        let organizations = card.card["organizations"]?.object?.members ?? []
        return organizations.lazy.compactMap { $0.value.object?["name"]?.string }.first { !$0.isEmpty }
            ?? card.phones.first?.number
    }
}
