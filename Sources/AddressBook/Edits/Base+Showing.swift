import Contacts
import JSON
package import Replication

/// The version that a file shows after what it held was taken in.
extension Base {
    /// After a card was added: its fields, with the dots they now have in the record.
    package init(showing saved: SavedCard, of uid: UID, editor: inout RecordEditor, time: UInt64) {
        self.init(time: time, uids: [uid], items: [:], alive: [:])
        let record = editor.record(uid)
        for field in saved.fields {
            items[field.key] = Item(
                hash: field.hash,
                phoneKeys: field.phoneKey.map { [$0] } ?? [],
                sources: Self.sources(uid, field.key, record) { $0.value == field.value }
            )
        }
        noteAlive(&editor)
    }

    /// After an edit: what was not changed stands for what it stood for, the rest for what was written.
    package init(after edit: CardEdit, editor: inout RecordEditor, time: UInt64) {
        let base = edit.base
        self.init(time: time, uids: base.uids, items: base.items, alive: [:])
        for field in edit.saved.fields where CardFields.isBookkeeping(field.key) && items[field.key] == nil {
            items[field.key] = Item(hash: field.hash, sources: [])
        }
        for change in edit.changes {
            guard let new = change.new else {
                items[change.key] = nil
                continue
            }
            var places = Set((change.old?.sources ?? []).map { Place(uid: $0.uid, key: $0.key) })
            places.insert(Place(uid: base.uids[0], key: change.key))
            var sources: [Source] = []
            for place in places.sorted(by: { ($0.uid, $0.key) < ($1.uid, $1.key) }) {
                let record = editor.record(place.uid)
                let written = editor.written[place.uid]?[place.key] ?? []
                sources += Self.sources(place.uid, place.key, record, dots: written)
            }
            items[change.key] = Item(
                hash: new.hash,
                phoneKeys: new.phoneKey.map { [$0] } ?? [],
                sources: sources
            )
        }
        noteAlive(&editor)
    }

    private struct Place: Hashable {
        var uid: UID
        var key: FieldKey
    }

    private mutating func noteAlive(_ editor: inout RecordEditor) {
        for uid in uids { alive[uid] = (editor.record(uid).fields[.alive] ?? [:]).keys.sorted() }
    }

    private static func sources(
        _ uid: UID,
        _ key: FieldKey,
        _ record: Record,
        dots: Set<Dot>? = nil,
        _ fits: (Version) -> Bool = { _ in true }
    ) -> [Source] {
        let isEntry = CardFields.shape(key) == .entries
        return (record.fields[key] ?? [:]).filter { fits($0.value) && dots?.contains($0.key) ?? true }
            .sorted { $0.key < $1.key }
            .map {
                Source(uid: uid, key: key, dot: $0.key, creation: isEntry ? $0.value.creation ?? $0.key : nil)
            }
    }
}
