import AddressBook
import JSON
import Replication

/// What is told of a book beside its records' history: lines of the journal, made where a decision is taken anyway.
extension ListController {
    /// Adds a line to the journal; it is told when it is durable.
    ///
    /// - Parameter peer: the device that it is about.
    package func tell(_ event: String, _ details: [(name: String, value: String)], peer: String? = nil) {
        history.append(
            HistoryRow(event: event, book: settings.id, time: replica.now, peer: peer, details)
        )
    }

    /// Tells which persons came together, and which came apart.
    func tell(_ change: PersonsIndex.Change) {
        // Most changes are of persons of one record each, and there is nothing to tell of those.
        let before = change.removed.filter { $0.count > 1 }
        let after = change.added.filter { $0.count > 1 }
        var whole: [UID: Int] = [:]
        for (at, person) in before.enumerated() { for uid in person { whole[uid] = at } }
        for person in after where whole[person[0]] == nil || Set(person.map { whole[$0] }).count > 1 {
            tell("merged", details(person))
        }
        for person in before {
            let parts = Set(person.compactMap { index.person(of: $0)?[0] })
            if parts.count > 1 { tell("split", details(parts.sorted())) }
        }
    }

    /// Tells of values that are kept beside those that are shown.
    func tell(conflictsOf card: PersonCard, moreThan known: Int) {
        guard card.conflicts.count > known else { return }
        let fields = Set(card.conflicts.map(\.field.text.text)).sorted()
        tell("conflict", [("uid", card.uid.text)] + fields.map { ("fields", $0) })
    }

    private func details(_ uids: [UID]) -> [(name: String, value: String)] {
        uids.first.map { [("uid", $0.text)] + uids.map { ("uids", $0.text) } } ?? []
    }
}
