import JSON
import Replication
import TestSupport

/// Several machines that write, remove, forget and join copies of one record, all from one seed.
struct RecordMaker {
    private(set) var random: SeededGenerator
    private var counters: [UInt64]
    private(set) var states: [Record]
    private var clock: UInt64 = 1

    static let keys: [FieldKey] = [
        FieldKey(member: "name"), FieldKey(member: "phones", entry: "p1"),
        FieldKey(member: "phones", entry: "p2"), .alive, .deleted, .same(UID("other")),
    ]

    init(seed: UInt64, machines: Int = 3) {
        random = SeededGenerator(seed: seed)
        counters = .init(repeating: 0, count: machines)
        states = .init(repeating: Record(uid: UID("u")), count: machines)
    }

    mutating func run(steps: Int) {
        for _ in 0..<steps { step() }
    }

    mutating func anyIndex() -> Int { random.below(states.count) }

    private mutating func step() {
        let machine = anyIndex()
        switch random.below(10) {
        case 0..<5: put(machine)
        case 5..<7: drop(machine)
        case 7: _ = states[machine].forget()
        default: _ = states[machine].join(states[anyIndex()], hash: .test)
        }
    }

    private mutating func dot(_ machine: Int) -> Dot {
        counters[machine] += 1
        return Dot(replica: ReplicaID(UInt64(machine + 1)), counter: counters[machine])
    }

    private mutating func put(_ machine: Int) {
        let key = Self.keys[random.below(Self.keys.count)]
        clock += 1
        let dot = dot(machine)
        let isEntry = key.entry != nil && !key.isOwn
        let version = Version(
            time: random.chance(0.2) ? .zero : HybridTime(bits: clock << 16),
            session: "session\(machine)",
            value: key.isOwn ? .null : .number(random.below(3)),
            creation: isEntry && random.chance(0.5) ? Dot(replica: dot.replica, counter: 1) : nil,
            key: isEntry && random.chance(0.5) ? "+4930\(random.below(9))" : nil
        )
        states[machine].put(key, version, dot: dot, over: random.chance(0.8) ? nil : [])
    }

    private mutating func drop(_ machine: Int) {
        let key = Self.keys[random.below(Self.keys.count)]
        guard states[machine].fields[key] != nil else { return }
        let dot = dot(machine)
        states[machine].drop(key, over: nil, dot: dot)
    }

    /// A broken machine: another content under dots that are known elsewhere.
    mutating func corrupt(_ machine: Int) {
        for (key, versions) in states[machine].fields.sorted(by: { $0.key < $1.key }) {
            for (dot, version) in versions.sorted(by: { $0.key < $1.key }) where random.chance(0.5) {
                var other = version
                switch random.below(4) {
                case 0: other.time = HybridTime(bits: random.next() >> 1)
                case 1: other.session = "broken\(random.below(2))"
                case 2: other.value = .number("1.0")
                default: (other.value, other.key) = (nil, nil)
                }
                states[machine].fields[key]?[dot] = other
            }
        }
    }
}

extension Record {
    /// The join as a value.
    func joined(_ other: Record) -> Record {
        var copy = self
        _ = copy.join(other, hash: .test)
        return copy
    }
}
