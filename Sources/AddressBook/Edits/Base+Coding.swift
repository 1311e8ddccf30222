import JSON
import Replication

extension Base {
    private static let save: UInt8 = 1
    private static let lostName: UInt8 = 1
    private static let hasCreation: UInt8 = 1
    private static let isCreation: UInt8 = 2
    private static let hasOtherKey: UInt8 = 4

    /// The form in which the store keeps it: time, flags, the records with their dots, the fields, each with its hash,
    /// flags, numbers' keys and sources.
    ///
    /// A source is the place of its uid, its dot, flags, and the creation and key where they are others. A replica is
    /// its place among those that came before, and follows where it is new.
    package func encode() -> [UInt8] {
        var replicas: [ReplicaID] = []
        var out = PackedWriter()
        func write(_ dot: Dot) {
            let place = replicas.firstIndex(of: dot.replica) ?? replicas.count
            out.append(number: UInt64(place))
            if place == replicas.count {
                replicas.append(dot.replica)
                out.append(word: dot.replica.bits)
            }
            out.append(number: dot.counter)
        }
        out.append(number: time)
        out.append(isSave ? Self.save : 0)
        out.append(count: uids.count)
        for uid in uids {
            let dots = alive[uid] ?? []
            out.append(uid.text)
            out.append(count: dots.count)
            for dot in dots { write(dot) }
        }
        let place = Dictionary(zip(uids, uids.indices), uniquingKeysWith: { first, _ in first })
        out.append(count: items.count)
        for (key, item) in items {
            out.append(key.text.text)
            out.append(item.hash)
            out.append(item.isLostName ? Self.lostName : 0)
            out.append(count: item.phoneKeys.count)
            for phoneKey in item.phoneKeys { out.append(phoneKey) }
            out.append(count: item.sources.count)
            for source in item.sources {
                out.append(number: UInt64(source.uid == uids.first ? 0 : place[source.uid] ?? 0))
                write(source.dot)
                let isOther = source.key != key
                switch source.creation {
                case nil: out.append(isOther ? Self.hasOtherKey : 0)
                case source.dot: out.append(Self.isCreation | (isOther ? Self.hasOtherKey : 0))
                case let creation?:
                    out.append(Self.hasCreation | (isOther ? Self.hasOtherKey : 0))
                    write(creation)
                }
                if isOther { out.append(source.key.text.text) }
            }
        }
        return out.bytes
    }

    /// Reads what `encode` wrote; nil if it is something else (a damaged row counts as no base).
    package static func decode(_ bytes: [UInt8]) -> Base? {
        var reader = BaseReader(bytes)
        guard let base = reader.base(), reader.isAtEnd else { return nil }
        return base
    }

    private struct BaseReader {
        private var bytes: PackedReader
        private var replicas: [ReplicaID] = []

        init(_ bytes: [UInt8]) { self.bytes = PackedReader(bytes) }

        var isAtEnd: Bool { bytes.isAtEnd }

        mutating func base() -> Base? {
            guard let time = bytes.number(), let flags = bytes.byte(), flags <= Base.save,
                let people = bytes.count()
            else { return nil }
            var base = Base(time: time, uids: [], items: [:], alive: [:])
            base.isSave = flags == Base.save
            for _ in 0..<people {
                guard let uid = bytes.text(), let dots = bytes.count() else { return nil }
                var alive: [Dot] = []
                for _ in 0..<dots {
                    guard let dot = dot() else { return nil }
                    alive.append(dot)
                }
                base.uids.append(UID(uid))
                base.alive[UID(uid)] = alive
            }
            guard let fields = bytes.count() else { return nil }
            base.items.reserveCapacity(fields)
            for _ in 0..<fields {
                guard let key = bytes.text().map({ FieldKey(raw: $0) }), let item = item(key, base.uids)
                else { return nil }
                base.items[key] = item
            }
            return base
        }

        private mutating func item(_ key: FieldKey, _ uids: [UID]) -> Base.Item? {
            guard let hash = bytes.hash(), let flags = bytes.byte(), flags <= Base.lostName,
                let phoneKeys = bytes.count()
            else { return nil }
            var item = Base.Item(hash: hash, isLostName: flags == Base.lostName, sources: [])
            for _ in 0..<phoneKeys {
                guard let phoneKey = bytes.text() else { return nil }
                item.phoneKeys.append(phoneKey)
            }
            guard let sources = bytes.count() else { return nil }
            for _ in 0..<sources {
                guard let source = source(key, uids) else { return nil }
                item.sources.append(source)
            }
            return item
        }

        private mutating func source(_ key: FieldKey, _ uids: [UID]) -> Source? {
            guard let place = bytes.number(), place < uids.count, let own = dot(), let flags = bytes.byte(),
                flags <= Base.isCreation | Base.hasOtherKey
            else { return nil }
            var source = Source(uid: uids[Int(place)], key: key, dot: own)
            if flags & Base.isCreation != 0 {
                source.creation = own
            } else if flags & Base.hasCreation != 0 {
                guard let creation = dot() else { return nil }
                source.creation = creation
            }
            if flags & Base.hasOtherKey != 0 {
                guard let other = bytes.text() else { return nil }
                source.key = FieldKey(raw: other)
            }
            return source
        }

        private mutating func dot() -> Dot? {
            guard let place = bytes.number(), place <= replicas.count else { return nil }
            if place == replicas.count {
                guard let bits = bytes.word() else { return nil }
                replicas.append(ReplicaID(bits))
            }
            guard let counter = bytes.number() else { return nil }
            return Dot(replica: replicas[Int(place)], counter: counter)
        }
    }
}
