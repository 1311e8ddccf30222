import Controllers
import JSON
import Replication
import Wire

/// What the hostile peer says.
extension HostileRun {
    func flip() -> Bool { choices.below(2) == 1 }

    /// A number that is likely to mean something.
    func number() -> UInt64 {
        choices.one(of: [
            cursor, 0, 1, 2, 3, victim.list.head, victim.list.head + 1, victim.replica.counter,
            victim.replica.counter + 1, RecordLimits.counter - 1, RecordLimits.counter, UInt64(Int64.max),
        ])
    }

    func position() -> FeedPosition { FeedPosition(seq: number(), mark: flip() ? 9 : 1) }

    func uid() -> String { choices.one(of: ["target", "x", "", "y", "z", "honest-0", "zz", "\u{301}"]) }

    func batch() -> Message {
        .batch(
            Batch(
                book: HonestMachine.book,
                from: choices.below(8) == 0 ? number() : cursor,
                to: FeedPosition(seq: choices.below(8) == 0 ? number() : cursor &+ 1, mark: 1),
                records: records(),
                remaining: choices.below(3)
            )
        )
    }

    func records() -> [RecordForm] { (0..<choices.below(4)).map { _ in .value(record()) } }

    func total() -> ContentHash {
        flip() ? victim.list.digest.total(Claim.hash) : ContentHash(high: UInt64(choices.below(3)), low: 0)
    }

    private func purpose() -> ComparisonPurpose { choices.one(of: [.heal, .verify, .report]) }

    func sums() -> BucketSums {
        var sums = (0..<Digest.bucketCount).map { victim.list.digest[$0] }
        for _ in 0..<choices.below(4) { sums[choices.below(256) * 16] = ContentHash(high: 1, low: 2) }
        return BucketSums(book: HonestMachine.book, purpose: purpose(), sums: sums)
    }

    func list() -> BucketList {
        // In answer to what the victim listed, as a rule.
        var buckets = (0..<choices.below(3)).map { $0 * 7 }
        for message in heard.reversed() {
            guard case .list(let list) = message, flip() else { continue }
            buckets = list.buckets
            break
        }
        return BucketList(
            book: HonestMachine.book,
            purpose: purpose(),
            isAnswer: flip(),
            buckets: buckets,
            entries: (0..<choices.below(3)).map { _ in DigestEntry(uid: UID(uid()), hash: total()) }
        )
    }

    /// A record: made up, one of the victim's that was changed, or no record at all.
    func record() -> JSONValue {
        switch choices.below(8) {
        case 0: return choices.value()
        case 1, 2, 3:
            guard let known = victim.list.record(UID(uid())) else { return made() }
            return RecordCoding.encode(changed(known))
        default: return made()
        }
    }

    private func replica() -> ReplicaID {
        choices.one(of: [ReplicaID(1), ReplicaID(2), victim.replica.id, friend.replica.id, ReplicaID(.max)])
    }

    private func key() -> FieldKey {
        choices.one(of: [
            .alive, .deleted, FieldKey(member: "name"), FieldKey(member: "phones", entry: "p1"),
            FieldKey(member: "phones", entry: "p2"), FieldKey(member: "emails", entry: "e1"),
            FieldKey(member: "members", entry: "target"), FieldKey(member: "kind"), .same(UID(uid())),
            .distinct(UID(uid())), .shared("+7"), FieldKey(member: "localizations", entry: "de"),
            FieldKey(member: "keywords", entry: "k"), FieldKey(member: "updated"),
            FieldKey(raw: String(decoding: [UInt8(choices.below(128)), 0x2F], as: UTF8.self)),
        ])
    }

    private func fieldValue() -> JSONValue {
        if choices.below(6) == 5 { return choices.value() }
        return choices.one(of: [
            true, ["full": "Target"], ["full": "Ana Holm"], ["number": "+7"], ["number": "+1"], .null,
            "group", [:],
            [], "yes", ["name/full": "x", "phones/p1": .null],
        ])
    }

    private func changed(_ known: Record) -> Record {
        var record = known
        for _ in 0..<choices.below(4) + 1 {
            switch choices.below(4) {
            case 0: record.fields[key()] = nil
            case 1:
                record.seen.insert(
                    Dot(replica: replica(), counter: max(1, min(number(), RecordLimits.counter)))
                )
            default:
                let dot = Dot(
                    replica: replica(),
                    counter: flip() ? max(1, number()) : (record.seen.counters.values.max() ?? 0) + 1
                )
                record.put(key(), version(), dot: dot, over: flip() ? nil : [])
            }
        }
        return record
    }

    private func version() -> Version {
        Version(
            time: HybridTime(bits: choices.one(of: [0, 1, timers.wallClock << 16, .max])),
            session: choices.one(of: ["s", "", "0123456789abcdef-0123456789abcdef"]),
            value: choices.below(8) == 0 ? nil : fieldValue(),
            creation: choices.below(4) == 0 ? Dot(replica: replica(), counter: 1) : nil,
            key: choices.below(3) == 0 ? choices.one(of: ["+7", "+1", ""]) : nil
        )
    }

    private func made() -> JSONValue {
        var record = Record(uid: UID(uid()))
        for _ in 0..<choices.below(5) {
            let dot = Dot(
                replica: replica(),
                counter: flip() ? max(1, number()) : UInt64(choices.below(6) + 1)
            )
            record.put(key(), version(), dot: dot, over: flip() ? nil : [])
        }
        return RecordCoding.encode(record)
    }
}
