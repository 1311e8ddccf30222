package import JSON
package import Replication

/// One version in one record, that an item of a card stands for.
package struct Source: Hashable, Sendable {
    package var uid: UID
    package var key: FieldKey
    package var dot: Dot
    /// The dot that first created the entry; nil for fields that are no entries of Id maps.
    package var creation: Dot?

    package init(uid: UID, key: FieldKey, dot: Dot, creation: Dot? = nil) {
        self.uid = uid
        self.key = key
        self.dot = dot
        self.creation = creation
    }
}

/// One field of a card as it is shown, and all that it stands for.
package struct CardItem: Sendable {
    package var value: JSONValue
    /// What an edit of the item replaces, kept losers included.
    package var sources: [Source]
    /// The keys of a phone number.
    package var phoneKeys: [String] = []
    /// Whether it is a full name that lost and is shown as a nickname.
    package var isLostName = false

    package init(value: JSONValue, sources: [Source]) {
        self.value = value
        self.sources = sources
    }
}

/// A kept value that is not shown.
package struct KeptValue: Sendable {
    package var source: Source
    package var version: Version
}

/// Values of one field of which only one can be shown.
package struct Conflict: Sendable {
    package var field: FieldKey
    package var shown: JSONValue
    package var others: [KeptValue]
}

/// The card of a person: a pure function of its records (DESIGN.md 3).
package struct PersonCard: Sendable {
    /// The card's uid: the smallest that is not a made one, else the smallest.
    package let uid: UID
    /// All uids of the person, the card's first.
    package let uids: [UID]
    /// What is shown, by the key under which it is shown.
    package let items: FieldMap<CardItem>
    /// The Card without `@type` and `uid`.
    package let card: JSONObject
    /// Values that are kept and not shown.
    package let conflicts: [Conflict]
    /// The full name as it is shown, nil if there is none.
    package let name: String?
    /// `individual` where the card says nothing.
    package let kind: String

    /// The numbers in the order of the card: the text as written and its key.
    package var phones: [(number: String, key: String?)] {
        (card["phones"]?.object?.members ?? []).compactMap { entry in
            guard let number = entry.value.object?["number"]?.string else { return nil }
            return (number, items[FieldKey(member: "phones", entry: entry.key)]?.phoneKeys.first)
        }
    }
}
