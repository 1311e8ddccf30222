import AddressBook
package import Contacts
import JSON
import Replication

/// Cards of an import, one after the other: into a book, through the door of its session, or into a rehearsal of it.
///
/// A card is an addition, never an edit (DESIGN.md 3): what the person of its uid does not say yet stands beside what
/// it says. One whose uid belongs to somebody with another name is another contact, as in a directory (DESIGN.md 5).
/// What a person's card shows, records united and all, is no news: what was exported comes back as unchanged.
package final class CardImport {
    private let list: ListController
    private let add: AddController
    /// Nil where cards are really added.
    private let rehearsal: Rehearsal?

    /// - Parameters:
    ///   - add: the door of the session that imports.
    ///   - isRehearsal: whether nothing is to be written.
    package init(into list: ListController, add: AddController, isRehearsal: Bool) {
        self.list = list
        self.add = add
        rehearsal = isRehearsal ? Rehearsal(of: list) : nil
    }

    /// Takes some cards and judges who is the same; says what became of each.
    package func take(_ items: [ContactItem]) -> [ImportOutcome] {
        var outcomes: [ImportOutcome] = []
        // The records that are new, in order, with their places.
        var new: [(place: Int, uid: UID)] = []
        for item in items {
            var saved = add.saved(item)
            let (uid, other) = place(of: item, saved)
            let isAlive = record(uid)?.isAlive ?? false
            if isAlive {
                keepNews(in: &saved, for: uid)
                if saved.fields.allSatisfy({ CardFields.isBookkeeping($0.key) }) {
                    outcomes.append(.unchanged)
                    continue
                }
            }
            if !isAlive { new.append((outcomes.count, uid)) }
            outcomes.append(.merged)
            write(uid, saved, apartFrom: isAlive ? nil : other)
        }
        settle()
        var later = Set(new.map(\.uid))
        for (place, uid) in new {
            later.remove(uid)
            let others = (person(of: uid) ?? []).filter { $0 != uid && !later.contains($0) }
            outcomes[place] = others.isEmpty ? .added : .merged
        }
        return outcomes
    }

    /// The uid for a card, and whose uid it would have been had the names been compatible.
    private func place(of item: ContactItem, _ saved: SavedCard) -> (uid: UID, other: UID?) {
        guard let written = item.uid else { return (UID(MadeUID.make(item.card, hash: list.hash)), nil) }
        let uid = UID(written)
        guard let record = record(uid), record.isAlive else { return (uid, nil) }
        let mine = PersonName(PersonName.shown(saved[.name]) ?? "")
        if records(ofPersonWith: uid).contains(where: { mine.isCompatible(with: Profile($0).name) }) {
            return (uid, nil)
        }
        return (UID(MadeUID.apart(item.card, hash: list.hash)), uid)
    }

    /// Leaves in a card what neither the record of its uid nor the card of that person says.
    private func keepNews(in saved: inout SavedCard, for uid: UID) {
        if let record = record(uid) {
            saved.fields.removeAll { field in
                (record.fields[field.key] ?? [:]).values.contains { $0.value == field.value }
            }
        }
        guard !saved.fields.isEmpty else { return }
        let shown = PersonCard(records(ofPersonWith: uid))
        saved.fields.removeAll { shown.items[$0.key]?.value == $0.value }
    }

    private func records(ofPersonWith uid: UID) -> [Record] { (person(of: uid) ?? [uid]).compactMap(record) }

    private func record(_ uid: UID) -> Record? { rehearsal.map { $0.record(uid) } ?? list.record(uid) }

    private func person(of uid: UID) -> [UID]? { (rehearsal?.index ?? list.index).person(of: uid) }

    private func settle() { rehearsal.map { $0.settle() } ?? list.settle() }

    private func write(_ uid: UID, _ saved: SavedCard, apartFrom other: UID?) {
        let others = other.map { person(of: $0) ?? [$0] }
        if let rehearsal {
            rehearsal.write { editor in
                editor.add(uid, saved)
                if let others { editor.distinguish(others, [uid]) }
            }
        } else {
            add.add(saved, uid: uid)
            if let others { add.add(.distinguish(others, [uid])) }
        }
    }
}
