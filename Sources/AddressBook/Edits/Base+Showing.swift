import Contacts
import JSON
package import Replication

/// The version that a file shows after what it held was taken in.
extension Base {
    /// After a card was added: its fields, with the versions that say them.
    ///
    /// - Parameter sources: those of each field, as adding gave them.
    package init(
        showing saved: SavedCard,
        by sources: [[Source]],
        of uid: UID,
        editor: inout RecordEditor,
        time: UInt64
    ) {
        self.init(time: time, uids: [uid], items: [:], alive: [:])
        isSave = true
        items.reserveCapacity(saved.fields.count)
        for (field, sources) in zip(saved.fields, sources) {
            let phoneKeys = field.phoneKey.map { [$0] } ?? []
            items[field.key] = Item(hash: field.hash, phoneKeys: phoneKeys, sources: sources)
        }
        alive[uid] = (editor.record(uid).fields[.alive] ?? [:]).keys.sorted()
    }

    /// After an edit: what was not changed stands for what it stood for, the rest for what was written.
    package init(after edit: CardEdit, editor: inout RecordEditor, time: UInt64) {
        let base = edit.base
        self.init(time: time, uids: base.uids, items: base.items, alive: [:])
        isSave = true
        for field in edit.saved.fields where CardFields.isBookkeeping(field.key) && items[field.key] == nil {
            items[field.key] = Item(hash: field.hash, sources: [])
        }
        for change in edit.changes {
            guard let new = change.new else {
                items[change.key] = nil
                continue
            }
            let old = change.old?.sources ?? []
            var places = Set(old.map { Place(uid: $0.uid, key: $0.key) })
            places.insert(Place(uid: base.uids[0], key: change.key))
            var sources: [Source] = []
            for place in places.sorted(by: { ($0.uid, $0.key) < ($1.uid, $1.key) }) {
                let record = editor.record(place.uid)
                let written = editor.written(place.uid, place.key)
                // Entries of other creations under this Id are other items of the card.
                sources += Self.sources(place.uid, place.key, record, dots: written).filter { source in
                    source.creation == nil || source.creation == source.dot
                        || old.contains { $0.uid == place.uid && $0.creation == source.creation }
                }
            }
            items[change.key] = Item(
                hash: new.hash,
                phoneKeys: new.phoneKey.map { [$0] } ?? [],
                sources: sources
            )
        }
        noteNames(edit, &editor)
        // What kept a record alive and was never shown is not the file's.
        for uid in uids { alive[uid] = editor.written(uid, .alive).sorted() }
    }

    /// The full name was also written to records whose own had lost.
    private mutating func noteNames(_ edit: CardEdit, _ editor: inout RecordEditor) {
        guard let name = edit.saved[.name], items[.name] != nil else { return }
        for uid in uids {
            let record = editor.record(uid)
            let written = editor.written(uid, .name)
            for source in Self.sources(uid, .name, record, dots: written, { $0.value == name })
            where items[.name]?.sources.contains(source) == false {
                items[.name]?.sources.append(source)
            }
        }
    }

    private struct Place: Hashable {
        var uid: UID
        var key: FieldKey
    }

    private static func sources(
        _ uid: UID,
        _ key: FieldKey,
        _ record: Record,
        dots: Set<Dot>,
        _ fits: (Version) -> Bool = { _ in true }
    ) -> [Source] {
        let isEntry = CardFields.shape(key) == .entries
        return (record.fields[key] ?? [:]).compactMap { dot, version in
            guard fits(version), dots.contains(dot) else { return nil }
            return Source(uid: uid, key: key, dot: dot, creation: isEntry ? version.creation ?? dot : nil)
        }
    }
}
