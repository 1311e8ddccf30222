import Contacts
import JSON
package import Replication

/// A version with where it stands; ordered by who is shown: time, then replica.
struct Candidate {
    var source: Source
    var version: Version

    var value: JSONValue { version.value ?? .null }

    /// Whether this is shown before the other. Counter and uid only make the order total.
    func isShownBefore(_ other: Candidate) -> Bool {
        let (a, b) = (self, other)
        if a.version.time != b.version.time { return a.version.time > b.version.time }
        if a.source.dot.replica != b.source.dot.replica { return a.source.dot.replica > b.source.dot.replica }
        if a.source.dot.counter != b.source.dot.counter { return a.source.dot.counter > b.source.dot.counter }
        return a.source.uid > b.source.uid
    }
}

extension PersonCard {
    /// Composes the card of a person.
    ///
    /// - Parameters:
    ///   - records: its alive records, the one of the card's uid first.
    package init(_ records: [Record]) {
        precondition(!records.isEmpty, "a person has at least one record")
        var single: [FieldKey: [Candidate]] = [:]
        var entries: [String: [Entry]] = [:]
        for record in records {
            for (key, versions) in record.fields where !key.isOwn {
                let isEntry = CardFields.shape(key) == .entries
                let all = versions.compactMap { dot, version -> Candidate? in
                    guard version.value != nil else { return nil }
                    return Candidate(
                        source: Source(
                            uid: record.uid,
                            key: key,
                            dot: dot,
                            creation: isEntry ? version.creation ?? dot : nil
                        ),
                        version: version
                    )
                }
                guard !all.isEmpty else { continue }
                if isEntry, all.count == 1, let creation = all[0].source.creation, let id = key.entry {
                    entries[key.member, default: []].append(
                        Entry(id: id, creation: creation, candidates: all)
                    )
                } else if isEntry {
                    for (creation, group) in Dictionary(grouping: all, by: { $0.source.creation }) {
                        guard let creation, let id = key.entry else { continue }
                        entries[key.member, default: []].append(
                            Entry(
                                id: id,
                                creation: creation,
                                candidates: group.sorted { $0.isShownBefore($1) }
                            )
                        )
                    }
                } else {
                    single[key, default: []] += all
                }
            }
        }

        let localizations = "localizations/".utf8
        var composer = Composer(
            hasPaths: single.keys.contains { $0.text.text.utf8.starts(with: localizations) }
        )
        for (key, candidates) in single where key != .name {
            composer.addSingle(key, candidates.sorted { $0.isShownBefore($1) })
        }
        for (member, list) in entries { composer.addEntries(member, list) }
        composer.addNames((single[.name] ?? []).sorted { $0.isShownBefore($1) })
        composer.followRenames()

        uid = records[0].uid
        uids = records.map(\.uid)
        items = composer.items
        conflicts = composer.conflicts.sorted { $0.field < $1.field }
        card = CardFields.join(composer.ordered())
        name = PersonName.shown(items[.name]?.value)
        kind = items[FieldKey(member: "kind")]?.value.string ?? "individual"
    }
}

extension FieldKey {
    /// The name of the contact.
    package static let name = FieldKey(member: "name")
    static let nicknames = "nicknames"
}
