import JSON
import Replication
import TestSupport
import Testing

@Suite("Forgetting")
struct ForgetTests {
    private let replica = ReplicaID(1)
    private let name = FieldKey(member: "name")

    private func dead() -> Record {
        var record = Record(uid: UID("u"))
        let version = Version(time: HybridTime(bits: 1), session: "s", value: "Ana", key: "k")
        record.put(name, version, dot: Dot(replica: replica, counter: 1), over: nil)
        let deleted = Version(time: HybridTime(bits: 2), session: "s", value: .null)
        record.put(.deleted, deleted, dot: Dot(replica: replica, counter: 2), over: nil)
        return record
    }

    @Test("only a dead record forgets, and its hash stays")
    func onlyTheDead() {
        var record = dead()
        let hash = record.digestHash(.test)
        let didForget = record.forget()
        #expect(didForget)
        #expect(record.hasForgottenValues)
        #expect(record.values(name).isEmpty && record.fields[name]?.count == 1)
        #expect(record.digestHash(.test) == hash)
        let again = record.forget()
        #expect(!again)
        let alive = Version(time: HybridTime(bits: 3), session: "s", value: .null)
        record.put(.alive, alive, dot: Dot(replica: replica, counter: 3), over: nil)
        let forgetsLiving = record.forget()
        #expect(record.isAlive && !forgetsLiving)
    }

    @Test("a value is taken back from whoever still has it")
    func takenBack() {
        let whole = dead()
        var bare = whole
        _ = bare.forget()
        let outcome = bare.join(whole, hash: .test)
        #expect(outcome.changed && outcome.contradictions.isEmpty)
        #expect(bare == whole)
        var other = whole
        var forgotten = whole
        _ = forgotten.forget()
        let unchanged = other.join(forgotten, hash: .test)
        #expect(!unchanged.changed)
    }

    @Test("an @alive of time zero does not stand against a deletion, any other does")
    func aliveOfTimeZero() {
        var record = dead()
        let found = Version(time: .zero, session: "s", value: .null)
        record.put(.alive, found, dot: Dot(replica: replica, counter: 3), over: nil)
        #expect(!record.isAlive)
        let written = Version(time: HybridTime(bits: 9), session: "s", value: .null)
        record.put(.alive, written, dot: Dot(replica: replica, counter: 4), over: [])
        #expect(record.isAlive)
        #expect(Record(uid: .book).isAlive)
    }
}
