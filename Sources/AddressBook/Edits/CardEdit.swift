package import Contacts
package import JSON
package import Replication

/// A card as a file holds it now, taken apart, ready to be compared with what the file showed before.
package struct SavedCard: Sendable {
    /// One field of it.
    package struct Field: Sendable {
        package var key: FieldKey
        package var value: JSONValue
        package var hash: ContentHash
        /// The key of a phone number, computed here and now.
        package var phoneKey: String?
    }

    package var fields: [Field]
    /// Whether its entries have no Ids of their own (the plain form).
    package let isPlain: Bool
    /// Whether two entries of one map might be united: then an equal card may be shown by another text, and only a
    /// comparison field by field tells whether something was changed.
    package let saysAnythingTwice: Bool

    /// - Parameter phoneKey: the key of a number as it is read on this machine.
    package init(
        _ card: JSONObject,
        isPlain: Bool,
        hash: HashFunction,
        phoneKey: (String) -> String?
    ) {
        self.isPlain = isPlain
        fields = CardFields.split(card).map { key, value in
            Field(
                key: key,
                value: value,
                hash: hash.hash(value),
                phoneKey: Self.number(key, value).flatMap(phoneKey)
            )
        }
        saysAnythingTwice = Self.isAnythingTwice(in: fields)
    }

    /// A contact as a file holds it.
    package init(_ item: ContactItem, hash: HashFunction, phoneKey: (String) -> String?) {
        self.init(item.card, isPlain: item.form == .plain, hash: hash, phoneKey: phoneKey)
    }

    private static func isAnythingTwice(in fields: [Field]) -> Bool {
        var start = 0
        while start < fields.count {
            // Entries of one member stand together; one that is alone says nothing twice.
            var end = start + 1
            while end < fields.count, fields[end].key.isOfMember(of: fields[start].key) { end += 1 }
            defer { start = end }
            guard end - start > 1, CardFields.shape(fields[start].key) == .entries else { continue }
            let member = fields[start].key.member
            var seen: Set<ExactString> = []
            for field in fields[start..<end] {
                for token in EntryValue.tokens(member, field.value, field.phoneKey.map { [$0] } ?? [])
                where !seen.insert(token).inserted {
                    return true
                }
            }
        }
        return false
    }

    static func number(_ key: FieldKey, _ value: JSONValue) -> String? {
        key.hasEntry && key.isOf("phones") ? value.object?["number"]?.string : nil
    }

    /// The value of a field, nil where there is none.
    package subscript(key: FieldKey) -> JSONValue? { fields.first { $0.key == key }?.value }
}

/// What a save changes of the version it is compared with.
package struct CardEdit: Sendable {
    /// One field: with what it was (nil: new), and what it is (nil: removed).
    package struct Change: Sendable {
        package var key: FieldKey
        package var old: Base.Item?
        package var new: SavedCard.Field?
    }

    /// The version the save is compared with.
    package let base: Base
    package let changes: [Change]
    /// The save with its entries under the Ids of the base.
    package let saved: SavedCard

    /// Compares a save with the versions that its file showed.
    ///
    /// It is compared with the version that it differs from in the fewest fields, the newest of equals. One that
    /// equals an older version is a return to it: what has changed since is written as it was then, concurrent with
    /// what came since from elsewhere (DESIGN.md 5, "Bases").
    ///
    /// - Parameter bases: newest first; at least one.
    package init(_ saved: SavedCard, bases: [Base]) {
        precondition(!bases.isEmpty, "a save is compared with at least one version")
        var best: (saved: SavedCard, changes: [Change], place: Int)?
        for (place, base) in bases.enumerated() {
            let matched = saved.isPlain ? saved.matched(to: base) : saved
            let changes = Self.compare(matched, base)
            if best.map({ Self.weight(changes) < Self.weight($0.changes) }) ?? true {
                best = (matched, changes, place)
            }
        }
        let chosen = best ?? (saved, [], 0)
        base = bases[chosen.place]
        self.saved = chosen.saved
        guard Self.weight(chosen.changes) == 0, chosen.place != 0 else {
            changes = chosen.changes
            return
        }
        changes = chosen.changes + Self.way(back: chosen.saved, to: base, from: bases[...chosen.place])
    }

    /// What a return to an older version writes, and what it takes away.
    ///
    /// Whoever goes back has seen what was saved here since: that is replaced or removed. What the daemon wrote into
    /// the file meanwhile may be unseen, so it stays, concurrent.
    ///
    /// - Parameter versions: from the newest to the one returned to.
    private static func way(back saved: SavedCard, to older: Base, from versions: ArraySlice<Base>)
        -> [Change]
    {
        var own: [FieldKey: Set<Source>] = [:]
        for (newer, before) in zip(versions, versions.dropFirst()) where newer.isSave {
            for (key, item) in newer.items {
                own[key, default: []].formUnion(
                    Set(item.sources).subtracting(before.items[key]?.sources ?? [])
                )
            }
        }
        let newest = versions[versions.startIndex]
        var changes: [Change] = []
        for field in saved.fields where !CardFields.isBookkeeping(field.key) {
            guard newest.items[field.key]?.hash != field.hash, var old = older.items[field.key] else {
                continue
            }
            old.sources += (own[field.key] ?? []).subtracting(old.sources)
            changes.append(Change(key: field.key, old: old, new: field))
        }
        for (key, item) in newest.items where saved[key] == nil && !CardFields.isBookkeeping(key) {
            var gone = item
            gone.sources = item.sources.filter { own[key]?.contains($0) ?? false }
            if !gone.sources.isEmpty { changes.append(Change(key: key, old: gone, new: nil)) }
        }
        return changes.sorted { $0.key < $1.key }
    }

    /// Whether nothing of meaning was changed; `updated` and `version` alone are no edit.
    package var isEmpty: Bool { Self.weight(changes) == 0 }

    private static func weight(_ changes: [Change]) -> Int {
        changes.reduce(0) { $0 + (CardFields.isBookkeeping($1.key) ? 0 : 1) }
    }

    private static func compare(_ saved: SavedCard, _ base: Base) -> [Change] {
        var changes: [Change] = []
        var seen: Set<FieldKey> = []
        for field in saved.fields {
            seen.insert(field.key)
            let old = base.items[field.key]
            // What we write of it gains a version where it had none; that is nobody's edit.
            if old == nil, field.key == CardFields.version { continue }
            if old?.hash != field.hash { changes.append(Change(key: field.key, old: old, new: field)) }
        }
        for (key, old) in base.items where !seen.contains(key) {
            changes.append(Change(key: key, old: old, new: nil))
        }
        return changes.sorted { $0.key < $1.key }
    }
}

extension SavedCard {
    /// The same card with the entries of the plain form under the Ids they have in a base.
    ///
    /// Equal text goes first, then equal key, then one left on each side is a change of it; others are new and get
    /// the next free Id (DESIGN.md 5, "Reading").
    func matched(to base: Base) -> SavedCard {
        var out = self
        out.fields = []
        var left = fields
        for member in ["phones", "emails"] {
            var mine = left.filter { $0.key.hasEntry && $0.key.member == member }
            left.removeAll { $0.key.hasEntry && $0.key.member == member }
            var theirs = base.items.filter { $0.key.hasEntry && $0.key.member == member }
                .sorted { $0.key < $1.key }
            func take(_ fits: (Field, Base.Item) -> Bool) {
                for field in mine {
                    guard let at = theirs.firstIndex(where: { fits(field, $0.value) }) else { continue }
                    var field = field
                    mine.removeAll { $0.key == field.key }
                    field.key = theirs.remove(at: at).key
                    out.fields.append(field)
                }
            }
            take { $0.hash == $1.hash }
            take { field, item in field.phoneKey.map { item.phoneKeys.contains($0) } ?? false }
            if mine.count == 1, theirs.count == 1 { take { _, _ in true } }
            var number = 1
            for var field in mine {
                let letter = member == "phones" ? "p" : "e"
                while base.items[FieldKey(member: member, entry: "\(letter)\(number)")] != nil { number += 1 }
                field.key = FieldKey(member: member, entry: "\(letter)\(number)")
                number += 1
                out.fields.append(field)
            }
        }
        out.fields += left
        return out
    }
}
