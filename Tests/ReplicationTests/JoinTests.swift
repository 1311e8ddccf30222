import JSON
import Replication
import TestSupport
import Testing

@Suite("Joining records")
struct JoinTests {
    static let seeds = Array(UInt64(1)...60)

    @Test("a join is commutative, associative and idempotent, also with forgotten values", arguments: seeds)
    func algebra(seed: UInt64) {
        var maker = RecordMaker(seed: seed)
        maker.run(steps: 40)
        check(maker.states)
    }

    @Test("a join stays so when machines broke the contents of dots", arguments: seeds)
    func algebraOfTheBroken(seed: UInt64) {
        var maker = RecordMaker(seed: seed)
        maker.run(steps: 30)
        maker.corrupt(1)
        maker.corrupt(2)
        check(maker.states)
    }

    private func check(_ states: [Record]) {
        for a in states {
            #expect(a.joined(a) == a)
            for b in states {
                #expect(a.joined(b) == b.joined(a), "commutes")
                let both = a.joined(b)
                #expect(both.joined(b) == both)
                for c in states { #expect(both.joined(c) == a.joined(b.joined(c))) }
            }
        }
    }

    @Test("equal vectors mean equal records, forgotten values apart", arguments: seeds)
    func vectorsTell(seed: UInt64) {
        var maker = RecordMaker(seed: seed)
        maker.run(steps: 60)
        for a in maker.states {
            for b in maker.states where a.seen == b.seen {
                #expect(a.fields.map(\.key) == b.fields.map(\.key))
                #expect(a.fields.values.map { Array($0.keys) } == b.fields.values.map { Array($0.keys) })
                #expect(a.isAlive == b.isAlive)
                if !a.isAlive { #expect(a.digestHash(.test) == b.digestHash(.test)) }
            }
        }
    }

    @Test("whatever the order, all machines end equal", arguments: seeds)
    func convergence(seed: UInt64) {
        var maker = RecordMaker(seed: seed)
        maker.run(steps: 50)
        var random = SeededGenerator(seed: seed ^ 0xFFFF)
        let ends = (0..<3).map { _ in
            maker.states.shuffled(using: &random).reduce(Record(uid: UID("u"))) { $0.joined($1) }
        }
        #expect(ends[0] == ends[1] && ends[1] == ends[2])
    }

    @Test("an edit made apart from a removal stays, one that the remover saw goes")
    func removalTakesWhatItSaw() {
        let name = FieldKey(member: "name")
        let (a, b) = (ReplicaID(1), ReplicaID(2))
        func version(_ text: String) -> Version {
            Version(time: HybridTime(bits: 1), session: "s", value: .string(text))
        }
        var here = Record(uid: UID("u"))
        here.put(name, version("old"), dot: Dot(replica: a, counter: 1), over: nil)
        var there = here
        here.drop(name, over: nil, dot: Dot(replica: a, counter: 2))
        #expect(here.joined(there).fields[name] == nil)
        there.put(name, version("new"), dot: Dot(replica: b, counter: 1), over: nil)
        #expect(here.joined(there).values(name).values.map(\.value) == [.string("new")])
    }

    @Test("a join says whether it changed us and whether we now equal the other")
    func outcome() {
        var maker = RecordMaker(seed: 7)
        maker.run(steps: 30)
        var a = maker.states[0].joined(maker.states[1])
        let part = maker.states[1]
        let again = a.join(part, hash: .test)
        #expect(!again.changed)
        #expect(again.equalsOther == (a == part))
        var empty = Record(uid: UID("u"))
        let first = empty.join(a, hash: .test)
        #expect(first.changed && first.equalsOther && first.contradictions.isEmpty)
    }

    @Test("one dot with two values keeps the same one everywhere and names the dot")
    func contradiction() {
        let dot = Dot(replica: ReplicaID(1), counter: 1)
        func record(_ value: JSONValue) -> Record {
            var record = Record(uid: UID("u"))
            let version = Version(time: HybridTime(bits: 1), session: "s", value: value)
            record.put(FieldKey(member: "name"), version, dot: dot, over: nil)
            return record
        }
        for (x, y) in [(record("a"), record("b")), (record(.number("1")), record(.number("1.0")))] {
            var (left, right) = (x, y)
            let (atLeft, atRight) = (left.join(y, hash: .test), right.join(x, hash: .test))
            #expect(atLeft.contradictions == [dot] && atRight.contradictions == [dot])
            #expect(left == right)
            #expect(left.digestHash(.test) == right.digestHash(.test))
        }
    }
}
