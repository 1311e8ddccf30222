import Contacts
package import JSON
package import Replication

/// Carries out what people and files do to records: every change is one of these verbs.
///
/// The records come by `load` when they are first touched; what has changed is in `changed`. All writes of one
/// editor have one time and one session. The rules are those of DESIGN.md 3, stated as a program in the model.
package struct RecordEditor {
    private let load: (UID) -> Record?
    private let mint: () -> Dot
    private let time: HybridTime
    private let session: String
    private let hash: HashFunction
    private var records: [UID: Record] = [:]
    /// The records that were written to.
    package var changed: Set<UID> { Set(touched.keys) }
    /// The fields written or removed in each record, in order, for the history.
    package var fields: [UID: [FieldKey]] {
        touched.mapValues { keys in
            keys.sorted().reduce(into: []) { fields, key in if fields.last != key { fields.append(key) } }
        }
    }
    private var touched: [UID: [FieldKey]] = [:]
    /// The dots that edits wrote, by record and field.
    private var writes: [UID: [FieldKey: Set<Dot>]] = [:]

    /// - Parameters:
    ///   - time: the time of all writes; `zero` for what a new database's first scan found.
    ///   - mint: gives the next dot of this replica.
    ///   - load: a record as it is now, nil if there is none.
    package init(
        time: HybridTime,
        session: String,
        hash: HashFunction,
        mint: @escaping () -> Dot,
        load: @escaping (UID) -> Record?
    ) {
        self.time = time
        self.session = session
        self.hash = hash
        self.mint = mint
        self.load = load
    }

    /// A record as it is after what was done so far; an empty one where there is none.
    package mutating func record(_ uid: UID) -> Record {
        if let record = records[uid] { return record }
        let record = load(uid) ?? Record(uid: uid)
        records[uid] = record
        return record
    }

    // MARK: What people do

    /// Adds a card as one source gave it.
    ///
    /// Where the record is dead its fields are replaced. Where it lives, this is an addition: entries are new
    /// creations, other values stand beside the known ones; what is known already is not written again. What a first
    /// scan found replaces nothing: nobody knows how old it is.
    ///
    /// - Returns: for each field of the card the versions that say it now.
    @discardableResult
    package mutating func add(_ uid: UID, _ saved: SavedCard) -> [[Source]] {
        let before = record(uid)
        if !before.isAlive, time != .zero {
            for key in before.fields.keys where !key.isOwn { drop(uid, key, over: nil) }
        }
        touch([uid])
        var record = record(uid)
        records[uid] = nil
        var keys: [FieldKey] = []
        record.fields.reserveCapacity(record.fields.count + saved.fields.count)
        let sources = saved.fields.map { field in
            let isEntry = CardFields.shape(field.key) == .entries
            func source(_ dot: Dot, _ creation: Dot?) -> Source {
                Source(uid: uid, key: field.key, dot: dot, creation: isEntry ? creation ?? dot : nil)
            }
            let known = record.fields[field.key]?.filter { $0.value.value == field.value } ?? [:]
            guard known.isEmpty else { return known.map { source($0.key, $0.value.creation) } }
            keys.append(field.key)
            return [source(put(&record, field.key, field.value, over: [], phoneKey: field.phoneKey), nil)]
        }
        records[uid] = record
        if !keys.isEmpty { touched[uid, default: []] += keys }
        return sources
    }

    /// Writes an edit: only what was changed, over what the edited version showed.
    package mutating func edit(_ edit: CardEdit) {
        let base = edit.base
        for change in edit.changes {
            if let old = change.old {
                if let new = change.new {
                    replace(change.key, old, new, edit)
                } else {
                    remove(change.key, old.sources, edit)
                }
            } else if let new = change.new {
                put(base.uids[0], change.key, new.value, over: [], phoneKey: new.phoneKey)
            }
        }
        confirm(base.uids)
        for uid in base.uids { touch(uid, over: Set(base.alive[uid] ?? [])) }
    }

    /// Deletes a person by what a version of it showed: an `@alive` that had not reached it stays.
    package mutating func delete(_ alive: [UID: [Dot]]) {
        for (uid, dots) in alive.sorted(by: { $0.key < $1.key }) {
            drop(uid, .alive, over: Set(dots))
            put(uid, .deleted, true, over: [])
        }
    }

    /// Brings records back to life.
    ///
    /// A first scan leaves an `@alive` that somebody wrote: its own, of time zero, does not stand against a deletion.
    package mutating func touch(_ uids: [UID]) { for uid in uids { touch(uid, over: nil) } }

    /// An edit takes the place of the `@alive` that its version had: one that the version never showed outlives also
    /// the absence of the file.
    private mutating func touch(_ uid: UID, over: Set<Dot>?) {
        if time != .zero {
            put(uid, .alive, true, over: over)
            drop(uid, .deleted, over: nil)
        } else if !(record(uid).fields[.alive] ?? [:]).values.contains(where: { $0.time != .zero }) {
            put(uid, .alive, true, over: over)
        }
    }

    /// Joins two persons by a person's word.
    package mutating func merge(_ a: [UID], _ b: [UID]) {
        for (low, high) in Self.pairs(a + b) {
            drop(high, .distinct(low), over: nil)
            if record(high).fields[.same(low)] == nil { put(high, .same(low), true, over: []) }
        }
    }

    /// Tells every record of the one from every record of the other.
    package mutating func distinguish(_ a: [UID], _ b: [UID]) {
        for x in a {
            for y in b where x != y {
                let (low, high) = (min(x, y), max(x, y))
                put(high, .distinct(low), true, over: nil)
                drop(high, .same(low), over: nil)
            }
        }
    }

    /// Says whether a number is no one's own, in the book's record.
    package mutating func share(_ key: String, _ mark: SharedMark) {
        put(.book, .shared(key), .string(mark.rawValue), over: nil)
    }

    /// Writes one field of one item anew, over all that is kept of it.
    package mutating func resolve(_ sources: [Source], _ value: JSONValue, phoneKey: String?) {
        for (place, group) in Self.places(sources) {
            for creation in Self.creations(group) {
                let over = Set(group.filter { $0.creation == creation }.map(\.dot))
                put(place.uid, place.key, value, over: over, creation: creation, phoneKey: phoneKey)
            }
        }
        touch(Array(Set(sources.map(\.uid))).sorted())
    }

    // MARK: Parts

    /// Makes a person one by word, so that it stays whole when what brought it together goes.
    private mutating func confirm(_ uids: [UID]) {
        for (low, high) in Self.pairs(uids) {
            let fields = record(high).fields
            if fields[.same(low)] == nil, fields[.distinct(low)] == nil {
                put(high, .same(low), true, over: [])
            }
        }
    }

    private mutating func replace(
        _ key: FieldKey,
        _ old: Base.Item,
        _ new: SavedCard.Field,
        _ edit: CardEdit
    ) {
        let lost = old.lostNames(under: key)
        let sources = lost.isEmpty ? old.sources : old.sources.filter { $0.key != .name }
        if !lost.isEmpty {
            // A lost name that was rewritten is a nickname of its own, and the name itself is gone.
            remove(key, lost, edit)
            guard !sources.isEmpty else {
                put(edit.base.uids[0], key, new.value, over: [])
                return
            }
        }
        var places = Self.places(sources)
        if key == .name {
            // The new name is written to every record that holds one; a name that lost stays beside it.
            for (place, _) in Self.places(edit.base.lostNames)
            where !places.contains(where: { $0.0 == place }) {
                places.append((place, []))
            }
        }
        let shown = shownValue(sources, old.hash)
        for (place, group) in places {
            for creation in group.isEmpty ? [nil] : Self.creations(group) {
                let part = group.filter { $0.creation == creation }
                let own = shownCandidate(part)?.value
                var (value, phoneKey) = (new.value, new.phoneKey)
                // What a card unites keeps what each record knew; of other values the one that is written holds.
                if let own, let shown, own != shown, creation != nil || key == .name {
                    value = Self.patched(own, from: shown, to: new.value)
                }
                if let number = SavedCard.number(place.key, value),
                    own?.object?["number"]?.string?.isExactly(number) == true
                {
                    phoneKey = shownCandidate(part)?.version.key
                }
                if place.key.member == "localizations", let patch = value.object {
                    value = .object(back(patch, to: place.uid, edit.base))
                }
                let over = Set(part.map(\.dot))
                put(place.uid, place.key, value, over: over, creation: creation, phoneKey: phoneKey)
            }
        }
    }

    private mutating func remove(_ key: FieldKey, _ sources: [Source], _ edit: CardEdit) {
        for (place, group) in Self.places(sources) {
            drop(place.uid, place.key, over: Set(group.map(\.dot)))
            // A lost name taken from the nicknames gives way to the name that is shown: no record becomes nameless.
            if place.key == .name, key != .name, record(place.uid).fields[.name] == nil,
                let name = edit.saved[.name]
            {
                put(place.uid, .name, name, over: [])
            }
        }
    }

    /// What the version showed of an item, if all it stood for is still there; only its hash was kept.
    private mutating func shownValue(_ sources: [Source], _ shown: ContentHash) -> JSONValue? {
        var values: [JSONValue] = []
        for creation in Self.creations(sources) {
            if let best = shownCandidate(sources.filter { $0.creation == creation }) {
                values.append(best.value)
            }
        }
        let value = EntryValue.unite(values)
        return hash.hash(value) == shown ? value : nil
    }

    /// Of several versions the one that a card shows; nil if none is left.
    private mutating func shownCandidate(_ sources: [Source]) -> Candidate? {
        var best: Candidate?
        for source in sources {
            guard let version = record(source.uid).fields[source.key]?[source.dot], version.value != nil
            else {
                continue
            }
            let candidate = Candidate(source: source, version: version)
            if best.map({ candidate.isShownBefore($0) }) ?? true { best = candidate }
        }
        return best
    }

    /// Our own value with just that changed which was changed in what was shown.
    private static func patched(_ own: JSONValue, from shown: JSONValue, to new: JSONValue) -> JSONValue {
        guard var out = own.object, let shown = shown.object, let new = new.object else { return new }
        for key in Set((shown.keys + new.keys).map(ExactString.init)).sorted().map(\.text)
        where shown[key] != new[key] {
            out[key] = new[key]
        }
        return .object(out)
    }

    /// A localization as a record says it: paths back to the record's own Ids.
    private func back(_ patch: JSONObject, to uid: UID, _ base: Base) -> JSONObject {
        Composer.renamed(patch) { shown in
            base.items[shown]?.sources.first { $0.uid == uid }?.key
        }
    }

    private mutating func put(
        _ uid: UID,
        _ key: FieldKey,
        _ value: JSONValue,
        over: Set<Dot>?,
        creation: Dot? = nil,
        phoneKey: String? = nil
    ) {
        var record = record(uid)
        // The only copy is changed in place: one of a large group would cost its whole size a field.
        records[uid] = nil
        let dot = put(&record, key, value, over: over, creation: creation, phoneKey: phoneKey)
        records[uid] = record
        writes[uid, default: [:]][key, default: []].insert(dot)
        note(uid, key)
    }

    private mutating func put(
        _ record: inout Record,
        _ key: FieldKey,
        _ value: JSONValue,
        over: Set<Dot>?,
        creation: Dot? = nil,
        phoneKey: String? = nil
    ) -> Dot {
        let dot = mint()
        record.put(
            key,
            Version(
                time: time,
                session: session,
                value: value,
                creation: creation == dot ? nil : creation,
                key: phoneKey
            ),
            dot: dot,
            over: over
        )
        return dot
    }

    private mutating func drop(_ uid: UID, _ key: FieldKey, over: Set<Dot>?) {
        var record = record(uid)
        records[uid] = nil
        let hasDropped = record.drop(key, over: over, dot: mint())
        records[uid] = record
        if hasDropped { note(uid, key) }
    }

    private mutating func note(_ uid: UID, _ key: FieldKey) {
        touched[uid, default: []].append(key)
    }

    /// The dots written to a field.
    func written(_ uid: UID, _ key: FieldKey) -> Set<Dot> {
        writes[uid]?[key] ?? []
    }

    private struct Place: Hashable {
        var uid: UID
        var key: FieldKey

        init(_ source: Source) {
            uid = source.uid
            key = source.key
        }
    }

    private static func places(_ sources: [Source]) -> [(Place, [Source])] {
        Dictionary(grouping: sources, by: Place.init).map { ($0.key, $0.value) }
            .sorted { a, b in a.0.uid != b.0.uid ? a.0.uid < b.0.uid : a.0.key < b.0.key }
    }

    /// The creations that sources belong to, each once, in order.
    private static func creations(_ sources: [Source]) -> [Dot?] {
        Set(sources.map(\.creation)).sorted { ($0 ?? .none) < ($1 ?? .none) }
    }

    /// All pairs of different uids, the smaller first.
    private static func pairs(_ uids: [UID]) -> [(UID, UID)] {
        let sorted = Set(uids).sorted()
        return sorted.indices.flatMap { i in sorted[..<i].map { ($0, sorted[i]) } }
    }
}

extension Dot {
    /// Before all dots that are given out.
    static let none = Dot(replica: ReplicaID(0), counter: 0)
}
