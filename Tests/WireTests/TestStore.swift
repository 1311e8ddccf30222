import JSON
import Replication
import TestSupport
import Wire

/// One machine's book in memory: records, change feed, checkpoints, digest.
struct TestStore {
    let device: String
    private(set) var records: [UID: Record] = [:]
    private(set) var head: UInt64 = 0
    private(set) var checkpoints: [String: FeedPosition] = [:]
    private(set) var digest = Digest()
    /// Uids that a peer refused.
    var refusedBy: [String: Set<UID>] = [:]
    /// Uids that we refuse from anyone.
    var refuses: Set<UID> = []

    private var rows: [UID: FeedPosition] = [:]
    private var marks: [UInt64: UInt64] = [:]
    private var origins: [UID: String] = [:]
    private var counter: UInt64 = 0
    private var replica: ReplicaID
    private var random: SeededGenerator

    init(device: String, seed: UInt64) {
        self.device = device
        random = SeededGenerator(seed: seed)
        replica = ReplicaID(random.next())
    }

    /// A new start: dots of a state that was lost are not given again.
    mutating func restart(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        replica = ReplicaID(random.next())
        counter = 0
    }

    /// Puts another state in place of a record, without a change in the feed: what a faulty disk would do.
    mutating func damage(_ uid: UID) {
        set(nil, uid)
        rows[uid] = nil
    }

    mutating func write(_ uid: UID, _ text: String) {
        counter += 1
        var record = records[uid] ?? Record(uid: uid)
        let version = Version(time: HybridTime(bits: counter << 16), session: device, value: .string(text))
        record.put(FieldKey(member: "name"), version, dot: Dot(replica: replica, counter: counter), over: nil)
        counter += 1
        let alive = Version(time: HybridTime(bits: counter << 16), session: device, value: .null)
        record.put(.alive, alive, dot: Dot(replica: replica, counter: counter), over: nil)
        set(record, uid)
        moved(uid, mark: random.next(), origin: nil)
    }

    /// Joins what a peer sent; one commit.
    mutating func apply(_ delivery: Delivery, from peer: String) throws -> [UID] {
        let mark = random.next()
        var refused: [UID] = []
        for form in delivery.records {
            let theirs = try form.decoded()
            if refuses.contains(theirs.uid) {
                refused.append(theirs.uid)
                continue
            }
            var own = records[theirs.uid] ?? Record(uid: theirs.uid)
            let outcome = own.join(theirs, hash: .test)
            set(own, own.uid)
            if outcome.changed { moved(own.uid, mark: mark, origin: outcome.equalsOther ? peer : nil) }
        }
        if let position = delivery.position { checkpoints[peer] = position }
        return refused
    }

    private mutating func set(_ record: Record?, _ uid: UID) {
        let hash = HashFunction.test.hash(Array(uid.text.utf8))
        digest.replace(hash, old: records[uid]?.digestHash(.test), new: record?.digestHash(.test))
        records[uid] = record
    }

    private mutating func moved(_ uid: UID, mark: UInt64, origin: String?) {
        head += 1
        marks[head] = mark
        rows[uid] = FeedPosition(seq: head, mark: mark)
        origins[uid] = origin
    }

    func knows(_ position: FeedPosition?) -> Bool { position.map { marks[$0.seq] == $0.mark } ?? false }

    func read(after: UInt64, limit: Int, for peer: String) -> (
        rows: [FeedRow], reached: UInt64, remaining: Int
    ) {
        let all = rows.filter { $0.value.seq > after }.sorted { $0.value.seq < $1.value.seq }
        let some = all.prefix(limit).map { uid, position in
            let isHidden = origins[uid] == peer || (refusedBy[peer]?.contains(uid) ?? false)
            return FeedRow(position: position, record: isHidden ? nil : sized(uid))
        }
        let isAll = some.count == all.count
        return (some, isAll ? head : some.last?.position.seq ?? head, all.count - some.count)
    }

    func sized(_ uid: UID) -> SizedRecord? {
        records[uid].map {
            let text = RecordCoding.bytes($0)
            return SizedRecord(uid: uid, form: .text(text), bytes: text.count)
        }
    }

    /// The digest for one peer: without what that peer refused, and what we refuse.
    func digest(for peer: String) -> Digest {
        var digest = digest
        for uid in hidden(from: peer) {
            let hash = HashFunction.test.hash(Array(uid.text.utf8))
            digest.replace(hash, old: records[uid]?.digestHash(.test), new: nil)
        }
        return digest
    }

    private func hidden(from peer: String) -> Set<UID> { refuses.union(refusedBy[peer] ?? []) }

    func entries(_ buckets: [Int], for peer: String) -> [[DigestEntry]] {
        let hidden = hidden(from: peer)
        var lists: [Int: [DigestEntry]] = [:]
        for (uid, record) in records.sorted(by: { $0.key < $1.key }) where !hidden.contains(uid) {
            let bucket = Digest.bucket(HashFunction.test.hash(Array(uid.text.utf8)))
            guard buckets.contains(bucket) else { continue }
            lists[bucket, default: []].append(DigestEntry(uid: uid, hash: record.digestHash(.test)))
        }
        return buckets.map { lists[$0] ?? [] }
    }
}
