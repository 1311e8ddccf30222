import Contacts
import JSON
import Replication

/// One entry of an Id map: the concurrent values of one creation, the shown one first.
struct Entry {
    var id: String
    var creation: Dot
    var candidates: [Candidate]

    var shown: Candidate { candidates[0] }

    /// All keys of a number: values with equal JSON are one and have all their keys.
    var phoneKeys: [String] {
        if candidates.count == 1 { return shown.version.key.map { [$0] } ?? [] }
        var keys: [String] = []
        for candidate in candidates where candidate.value == shown.value {
            if let key = candidate.version.key, !keys.contains(key) { keys.append(key) }
        }
        return keys
    }
}

/// Builds the items of a person's card.
struct Composer {
    private(set) var items: FieldMap<CardItem> = [:]
    private(set) var conflicts: [Conflict] = []
    /// For each record's own entry name, the Id it is shown under; of two creations under one Id the smaller's.
    private var shownAs: [UID: [FieldKey: (creation: Dot, key: FieldKey)]] = [:]
    /// Whether there are paths that follow Ids.
    private let hasPaths: Bool

    /// - Parameter hasPaths: whether the card has `localizations`.
    init(hasPaths: Bool) { self.hasPaths = hasPaths }

    /// A field of which one value is shown: the latest, the greater of what is bookkeeping, or the list of all.
    mutating func addSingle(_ key: FieldKey, _ sorted: [Candidate]) {
        var shown = sorted[0]
        if CardFields.isBookkeeping(key) {
            for other in sorted {
                if let a = other.value.string, let b = shown.value.string, ExactString(b) < ExactString(a) {
                    shown = other
                }
            }
        } else if let all = CardFields.united(key, sorted.map(\.value)) {
            items[key] = CardItem(value: all, sources: sorted.map(\.source))
            return
        } else {
            note(key, shown: shown.value, others: sorted.filter { $0.value != shown.value })
        }
        items[key] = CardItem(value: shown.value, sources: sorted.map(\.source))
    }

    /// The entries of one Id map: united where they say the same, each under an Id of its own.
    mutating func addEntries(_ member: String, _ list: [Entry]) {
        if list.count == 1, list[0].candidates.count == 1 {
            // Most are alone: nothing to unite, no Id taken, no value that is not shown.
            let key = FieldKey(member: member, entry: list[0].id)
            var item = CardItem(value: list[0].shown.value, sources: [list[0].shown.source])
            item.phoneKeys = list[0].phoneKeys
            if hasPaths { noteShown(list[0], as: key) }
            items[key] = item
            return
        }
        let sorted = list.sorted { a, b in
            a.creation != b.creation ? a.creation < b.creation : a.shown.source.uid < b.shown.source.uid
        }
        var taken: Set<ExactString> = []
        for cluster in Self.clusters(member, sorted) {
            let first = cluster[0]
            var id = first.id
            if !taken.insert(ExactString(id)).inserted {
                id = Self.madeId(first.id, first.creation)
                while !taken.insert(ExactString(id)).inserted { id += "x" }
            }
            let key = FieldKey(member: member, entry: id)
            let value = EntryValue.unite(cluster.map(\.shown.value))
            var item = CardItem(value: value, sources: cluster.flatMap { $0.candidates.map(\.source) })
            var known: Set<String> = []
            for entry in cluster {
                for phoneKey in entry.phoneKeys where known.insert(phoneKey).inserted {
                    item.phoneKeys.append(phoneKey)
                }
                if hasPaths { noteShown(entry, as: key) }
            }
            items[key] = item
            note(
                key,
                shown: value,
                others: cluster.flatMap { entry in
                    entry.candidates.filter {
                        !EntryValue.says(value, all: $0.value, sameText: $0.value == entry.shown.value)
                    }
                }
            )
        }
    }

    private mutating func noteShown(_ entry: Entry, as key: FieldKey) {
        for source in entry.candidates.map(\.source) {
            if let known = shownAs[source.uid]?[source.key], known.creation < entry.creation { continue }
            shownAs[source.uid, default: [:]][source.key] = (entry.creation, key)
        }
    }

    /// The full name, and those that lost as nicknames.
    mutating func addNames(_ sorted: [Candidate]) {
        // A name that says nothing hides none that does.
        let named = sorted.first { PersonName.shown($0.value) != nil }
        guard let top = named ?? sorted.first else { return }
        if sorted.count == 1 {
            // Most have one name: it is not taken apart to be compared with itself.
            items[.name] = CardItem(value: top.value, sources: [top.source])
            return
        }
        let topName = PersonName(PersonName.shown(top.value) ?? "")
        var item = CardItem(value: top.value, sources: [])
        var lost: [(name: PersonName, shown: String, candidates: [Candidate])] = []
        // By the folded name, as `equals` compares.
        var place: [String: Int] = [:]
        var alike: [(candidate: Candidate, said: JSONObject)] = []
        for candidate in sorted {
            let text = PersonName.shown(candidate.value) ?? ""
            let name = PersonName(text)
            if name.isEmpty || name.equals(topName) {
                item.sources.append(candidate.source)
                var said = candidate.value.object ?? JSONObject()
                if name.isEmpty, named != nil { for empty in ["full", "components"] { said[empty] = nil } }
                alike.append((candidate, said))
                // What the others with this name, or with none, knew besides (phonetic forms) is not lost.
                guard var object = item.value.object else { continue }
                for member in said where object[member.key] == nil { object[member.key] = member.value }
                item.value = .object(object)
            } else if let at = place[name.folded] {
                lost[at].candidates.append(candidate)
            } else {
                place[name.folded] = lost.count
                lost.append((name, text, [candidate]))
            }
        }
        items[.name] = item
        // Of one record two writings of a name are two values; of two records what differs besides the writing is.
        note(
            .name,
            shown: item.value,
            others: alike.filter { other in
                !other.said.allSatisfy { member in
                    item.value.object?[member.key] == member.value
                        || member.key == "full" && other.candidate.source.uid != top.source.uid
                }
            }.map(\.candidate)
        )
        guard !lost.isEmpty else { return }
        let own = Set(item.sources.map(\.uid))
        var nicknames: [String: FieldKey] = [:]
        for (key, item) in items where key.hasEntry && key.member == FieldKey.nicknames {
            let folded = PersonName(item.value.object?["name"]?.string ?? "").folded
            if nicknames[folded] == nil { nicknames[folded] = key }
        }
        for (name, shown, candidates) in lost {
            note(.name, shown: item.value, others: candidates.filter { own.contains($0.source.uid) })
            addNickname(nicknames[name.folded], shown, candidates)
        }
    }

    /// `same`: the nickname that says so already.
    private mutating func addNickname(_ same: FieldKey?, _ shown: String, _ candidates: [Candidate]) {
        let sources = candidates.map(\.source)
        if let same {
            items[same]?.sources += sources
            return
        }
        guard let dot = sources.map(\.dot).min() else { return }
        let key = FieldKey(member: FieldKey.nicknames, entry: Self.madeId("name", dot))
        var item = CardItem(value: ["name": .string(shown)], sources: sources)
        item.isLostName = true
        items[key] = item
    }

    /// Paths in `localizations` follow the Ids that were given anew.
    mutating func followRenames() {
        guard !shownAs.isEmpty else { return }
        for (key, item) in items where key.hasEntry && key.isOf("localizations") {
            guard let source = item.sources.first, let own = shownAs[source.uid],
                let patch = item.value.object
            else { continue }
            items[key]?.value = .object(Self.renamed(patch) { own[$0]?.key })
        }
    }

    /// The items in the order in which a card shows them: by member, entries of a map by Id.
    func ordered() -> [(key: FieldKey, value: JSONValue)] {
        items.map { ($0.key, $0.value.value) }
    }

    private mutating func note(_ key: FieldKey, shown: JSONValue, others: [Candidate]) {
        guard !others.isEmpty else { return }
        let kept = others.map { KeptValue(source: $0.source, version: $0.version) }
        // What is said of one field is said in a row.
        if conflicts.last?.field == key {
            conflicts[conflicts.count - 1].others += kept
        } else {
            conflicts.append(Conflict(field: key, shown: shown, others: kept))
        }
    }

    /// Entries that say the same, together; clusters and their entries in the order of creation.
    private static func clusters(_ member: String, _ sorted: [Entry]) -> [[Entry]] {
        var clusters: [[Entry]] = []
        var place: [ExactString: Int] = [:]
        for entry in sorted {
            let tokens = EntryValue.tokens(member, entry.shown.value, entry.phoneKeys)
            let known = tokens.compactMap { place[$0] }
            let at = known.min() ?? clusters.count
            if at == clusters.count { clusters.append([]) }
            clusters[at].append(entry)
            for other in Set(known) where other != at {
                // One number with two keys brings together what each key had.
                clusters[at] += clusters[other]
                clusters[other] = []
                for (token, cluster) in place where cluster == other { place[token] = at }
            }
            for token in tokens { place[token] = at }
        }
        return clusters.filter { !$0.isEmpty }.map { $0.sorted { $0.creation < $1.creation } }
    }

    /// An Id for an entry whose own is taken, the same on every machine.
    private static func madeId(_ id: String, _ dot: Dot) -> String {
        "\(id)-\(String(dot.replica.bits, radix: 36))-\(String(dot.counter, radix: 36))"
    }

    /// A patch object whose paths (`phones/p1/label`) lead to the entries under their other Ids.
    static func renamed(_ patch: JSONObject, _ newKey: (FieldKey) -> FieldKey?) -> JSONObject {
        JSONObject(
            uniqueMembers: patch.members.map { member in
                let steps = member.key.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
                guard steps.count >= 2,
                    let to = newKey(FieldKey(member: String(steps[0]), entry: String(steps[1])))?.entry
                else { return member }
                let path = ([String(steps[0]), to] + steps.dropFirst(2).map(String.init)).joined(
                    separator: "/"
                )
                return .init(key: path, value: member.value)
            }
        )
    }
}
