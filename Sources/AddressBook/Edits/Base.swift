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

extension Base {
    /// The form in which the store keeps it:
    /// `{"t": ms, "s": is a save, "u": [[uid, [dot…]]…], "i": {key: [hash, keys, lost, [[uid#, dot, creation?, key?]…]]}, "r": [replica…]}`.
    package func encode() -> [UInt8] {
        var replicas: [ReplicaID] = []
        var out = JSONWriter(capacity: 2048)
        func write(_ dot: Dot) {
            let place = replicas.firstIndex(of: dot.replica) ?? replicas.count
            if place == replicas.count { replicas.append(dot.replica) }
            out.write(UInt64(place))
            out.raw(",")
            out.write(dot.counter)
        }
        out.raw("{\"t\":")
        out.write(time)
        isSave ? out.raw(",\"s\":true,\"u\":[") : out.raw(",\"s\":false,\"u\":[")
        for (n, uid) in uids.enumerated() {
            out.raw(n > 0 ? ",[" : "[")
            out.write(uid.text)
            out.raw(",[")
            for (n, dot) in (alive[uid] ?? []).enumerated() {
                out.raw(n > 0 ? ",[" : "[")
                write(dot)
                out.raw("]")
            }
            out.raw("]]")
        }
        out.raw("],\"i\":{")
        let place = Dictionary(uniqueKeysWithValues: zip(uids, uids.indices))
        for (n, (key, item)) in items.enumerated() {
            if n > 0 { out.raw(",") }
            out.write(key.text.text)
            out.raw(":[")
            out.write(item.hash)
            out.raw(",[")
            for (n, phoneKey) in item.phoneKeys.enumerated() {
                if n > 0 { out.raw(",") }
                out.write(phoneKey)
            }
            item.isLostName ? out.raw("],true,[") : out.raw("],false,[")
            for (n, source) in item.sources.enumerated() {
                out.raw(n > 0 ? ",[" : "[")
                out.write(UInt64(place[source.uid] ?? 0))
                out.raw(",")
                write(source.dot)
                let isOwnKey = source.key == key
                if let creation = source.creation, creation != source.dot {
                    out.raw(",")
                    write(creation)
                } else if source.creation != nil {
                    out.raw(",-1,0")
                } else if !isOwnKey {
                    out.raw(",-2,0")
                }
                if !isOwnKey {
                    out.raw(",")
                    out.write(source.key.text.text)
                }
                out.raw("]")
            }
            out.raw("]]")
        }
        out.raw("},\"r\":[")
        for (n, replica) in replicas.enumerated() {
            if n > 0 { out.raw(",") }
            out.write(hex: replica.bits)
        }
        out.raw("]}")
        return out.bytes
    }

    /// Reads what `encode` wrote; nil if it is something else (a damaged row counts as no base).
    package static func decode(_ value: JSONValue) -> Base? {
        guard let object = value.object, let time = object["t"]?.unsigned, let list = object["r"]?.array,
            let people = object["u"]?.array, let shown = object["i"]?.object
        else { return nil }
        let replicas = list.map { $0.string.flatMap(ReplicaID.init(hex:)) }
        func dot(_ place: JSONValue, _ counter: JSONValue) -> Dot? {
            guard let place = place.integer, replicas.indices.contains(Int(place)),
                let replica = replicas[Int(place)], let counter = counter.unsigned
            else { return nil }
            return Dot(replica: replica, counter: counter)
        }
        var base = Base(time: time, uids: [], items: [:], alive: [:])
        base.isSave = object["s"]?.bool ?? false
        for person in people {
            guard let pair = person.array, pair.count == 2, let uid = pair[0].string, let dots = pair[1].array
            else { return nil }
            base.uids.append(UID(uid))
            base.alive[UID(uid)] = dots.compactMap { pair in
                pair.array.flatMap { $0.count == 2 ? dot($0[0], $0[1]) : nil }
            }
        }
        for member in shown {
            guard let parts = member.value.array, parts.count == 4,
                let hash = parts[0].string.flatMap(ContentHash.init(hex:)), let sources = parts[3].array
            else { return nil }
            let key = FieldKey(raw: member.key)
            var item = Item(
                hash: hash,
                phoneKeys: (parts[1].array ?? []).compactMap(\.string),
                isLostName: parts[2].bool ?? false,
                sources: []
            )
            for source in sources {
                guard let parts = source.array, parts.count >= 3, let at = parts[0].integer,
                    base.uids.indices.contains(Int(at)), let own = dot(parts[1], parts[2])
                else { return nil }
                var creation: Dot?
                if parts.count >= 5 {
                    creation = parts[3].integer == -1 ? own : dot(parts[3], parts[4])
                }
                let raw = parts.count == 6 ? parts[5].string.map(FieldKey.init(raw:)) : key
                item.sources.append(
                    Source(uid: base.uids[Int(at)], key: raw ?? key, dot: own, creation: creation)
                )
            }
            base.items[key] = item
        }
        return base
    }
}
