import JSON
import Replication
import Testing

@Suite("Clocks, vectors and keys")
struct ClockTests {
    @Test("times never go back, whatever the wall clock does")
    func forward() {
        var clock = HybridClock()
        var last = clock.tick(now: 1000)
        for now in [1001, 500, 500, 0, 1000, 2000] as [UInt64] {
            let time = clock.tick(now: now)
            #expect(time > last)
            last = time
        }
        #expect(last.milliseconds == 2000)
    }

    @Test("a peer within a day pulls our clock along, one ahead of that does not")
    func tolerance() {
        var clock = HybridClock()
        let edge = HybridTime(bits: (1000 + HybridClock.tolerance) << 16)
        clock.observe(HybridTime(bits: (1001 + HybridClock.tolerance) << 16), now: 1000)
        #expect(clock.latest == .zero)
        clock.observe(edge, now: 1000)
        #expect(clock.latest == edge)
        #expect(clock.tick(now: 1000) > edge)
    }

    @Test("a vector has seen all up to its counters")
    func vector() {
        var vector = VersionVector([ReplicaID(1): 3, ReplicaID(2): 0])
        #expect(vector.contains(Dot(replica: ReplicaID(1), counter: 3)))
        #expect(!vector.contains(Dot(replica: ReplicaID(1), counter: 4)))
        #expect(vector.counters.count == 1)
        let other = VersionVector([ReplicaID(1): 2, ReplicaID(3): 1])
        #expect(!vector.isSuperset(of: other))
        vector.formUnion(other)
        #expect(vector.isSuperset(of: other) && vector.counters[ReplicaID(1)] == 3)
    }

    @Test("no member of a card can take the name of one of our own fields")
    func keys() {
        for name in ["@alive", "a/b", "~", "~1", "@", "x@y", ""] {
            let key = FieldKey(member: name, entry: "e/~@")
            #expect(!key.isOwn)
            #expect(key.member == name)
            #expect(key.entry == "e/~@")
            #expect(FieldKey(member: name).member == name && FieldKey(member: name).entry == nil)
        }
        #expect(FieldKey.alive.isOwn && FieldKey.same(UID("x")).entry == "x")
        #expect(FieldKey(member: "e\u{301}") != FieldKey(member: "\u{e9}"))
    }
}
