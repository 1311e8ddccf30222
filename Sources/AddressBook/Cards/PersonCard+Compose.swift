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
        var all: [(key: FieldKey, candidates: [Candidate])] = []
        for record in records {
            for (key, versions) in record.fields where !key.isOwn {
                let candidates = Self.candidates(record.uid, key, versions)
                if !candidates.isEmpty { all.append((key, candidates)) }
            }
        }
        // One record's are in order, and the entries of one member lie together.
        if records.count > 1 { all.sort { $0.key < $1.key } }

        var composer = Composer(
            hasPaths: all.contains { $0.key.hasEntry && $0.key.isOf("localizations") }
        )
        var names: [Candidate] = []
        var at = 0
        while at < all.count {
            let (key, start) = (all[at].key, at)
            if CardFields.shape(key) == .entries {
                let member = key.member
                while at < all.count, all[at].key.hasEntry, all[at].key.member.isExactly(member) { at += 1 }
                composer.addEntries(member, all[start..<at].flatMap { Self.entries($0.key, $0.candidates) })
                continue
            }
            while at < all.count, all[at].key == key { at += 1 }
            let same = at == start + 1 ? all[start].candidates : all[start..<at].flatMap(\.candidates)
            let sorted = same.count == 1 ? same : same.sorted { $0.isShownBefore($1) }
            if key == .name { names = sorted } else { composer.addSingle(key, sorted) }
        }
        composer.addNames(names)
        composer.followRenames()

        uid = records[0].uid
        uids = records.map(\.uid)
        items = composer.items
        conflicts = composer.conflicts.sorted { $0.field < $1.field }
        card = CardFields.join(composer.ordered())
        name = PersonName.shown(items[.name]?.value)
        kind = items[FieldKey(member: "kind")]?.value.string ?? "individual"
    }

    /// The versions of a field that still have their value.
    private static func candidates(_ uid: UID, _ key: FieldKey, _ versions: Versions) -> [Candidate] {
        let isEntry = CardFields.shape(key) == .entries
        return versions.compactMap { dot, version in
            guard version.value != nil else { return nil }
            let creation = isEntry ? version.creation ?? dot : nil
            return Candidate(
                source: Source(uid: uid, key: key, dot: dot, creation: creation),
                version: version
            )
        }
    }

    /// The entries of one Id of one record: one for each creation.
    private static func entries(_ key: FieldKey, _ candidates: [Candidate]) -> [Entry] {
        guard let id = key.entry else { return [] }
        if candidates.count == 1, let creation = candidates[0].source.creation {
            return [Entry(id: id, creation: creation, candidates: candidates)]
        }
        return Dictionary(grouping: candidates) { $0.source.creation }.compactMap { creation, group in
            creation.map {
                Entry(id: id, creation: $0, candidates: group.sorted { $0.isShownBefore($1) })
            }
        }
    }
}

extension FieldKey {
    /// The name of the contact.
    package static let name = FieldKey(member: "name")
    static let nicknames = "nicknames"
}
