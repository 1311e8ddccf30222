package import JSON
package import Replication

/// What one item of a file showed at some time, with the dots behind it: what a later save is compared with.
package struct Base: Sendable {
    /// One field as it was shown; of its value only the hash is kept.
    package struct Item: Sendable, Hashable {
        package var hash: ContentHash
        package var phoneKeys: [String]
        package var isLostName: Bool
        package var sources: [Source]

        package init(
            hash: ContentHash,
            phoneKeys: [String] = [],
            isLostName: Bool = false,
            sources: [Source]
        ) {
            self.hash = hash
            self.phoneKeys = phoneKeys
            self.isLostName = isLostName
            self.sources = sources
        }

        /// The full names among what a nickname stands for.
        func lostNames(under key: FieldKey) -> [Source] {
            key.member == FieldKey.nicknames ? sources.filter { $0.key == .name } : []
        }
    }

    /// When it was shown, milliseconds since 1970.
    package var time: UInt64
    /// The records it showed, the card's uid first.
    package var uids: [UID]
    package var items: FieldMap<Item>
    /// The `@alive` dots of each record; absence drops these and no others.
    package var alive: [UID: [Dot]]
    /// Whether somebody saved it; else the daemon wrote it.
    package var isSave = false

    package init(time: UInt64, uids: [UID], items: FieldMap<Item>, alive: [UID: [Dot]]) {
        self.time = time
        self.uids = uids
        self.items = items
        self.alive = alive
    }

    /// The version that shows a person as it is.
    package init(_ card: PersonCard, records: [Record], time: UInt64, hash: HashFunction) {
        self.init(
            time: time,
            uids: card.uids,
            items: card.items.mapValues {
                Item(
                    hash: hash.hash($0.value),
                    phoneKeys: $0.phoneKeys,
                    isLostName: $0.isLostName,
                    sources: $0.sources
                )
            },
            alive: Dictionary(
                uniqueKeysWithValues: records.map { ($0.uid, ($0.fields[.alive] ?? [:]).keys.sorted()) }
            )
        )
    }

    /// The hash of what was shown; that of a card which says the same is equal.
    package func content(_ hash: HashFunction) -> ContentHash {
        CardFields.contentHash(items.map { ($0.key, $0.value.hash) }, hash)
    }

    /// Whether a card says one of the numbers that were shown.
    package func sharesNumber(_ saved: SavedCard) -> Bool {
        let shown = Set(items.values.flatMap(\.phoneKeys))
        return saved.fields.contains { $0.phoneKey.map { shown.contains($0) } ?? false }
    }

    /// Whether a card says the name that was shown.
    package func hasName(_ saved: SavedCard) -> Bool {
        saved.fields.contains { $0.key == .name && $0.hash == items[.name]?.hash }
    }

    /// All full names that lost and are shown as nicknames, alone or with a nickname that says the same.
    var lostNames: [Source] { items.flatMap { $0.value.lostNames(under: $0.key) } }

    /// How many versions of a file count as its bases, and for how long (milliseconds).
    package static let countLimit = 8
    package static let lifetime: UInt64 = 86_400_000
}
