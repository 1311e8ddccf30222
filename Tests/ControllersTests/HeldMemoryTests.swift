import Controllers
import JSON
import Replication
import Testing

/// What is kept in memory of a peer's records that were not joined.
@Suite("Records that were not joined")
struct HeldMemoryTests {
    private static func peer(_ house: House, _ list: ListController) throws -> AddController {
        let origin = Origin.peer(device: House.peer, name: "desktop")
        return list.addController(for: try house.login.login(origin, to: [list]))
    }

    private static func record(_ uid: String, replicas: Int, note: Int = 0) -> Record {
        var record = Record(uid: UID(uid))
        for replica in 1...replicas {
            let value: JSONValue = replica == 1 ? true : .string(String(repeating: "x", count: note))
            record.put(
                replica == 1 ? .alive : FieldKey(member: "x\(replica)"),
                Version(time: HybridTime(bits: 1), session: "s", value: value),
                dot: Dot(replica: ReplicaID(UInt64(replica)), counter: 1),
                over: []
            )
        }
        return record
    }

    @Test(
        "of a peer that may only read so many counters are noted, and then nothing is taken",
        arguments: [-1, 0, 1]
    )
    func refused(beyond: Int) throws {
        let house = try House()
        let list = try house.reload { $0.refusedLimit = 100 }
        house.login.peers[House.peer] = LoginController.Peer(
            name: "desktop",
            device: House.peer,
            books: ["personal"],
            isReadOnly: true
        )
        let peer = try Self.peer(house, list)
        func add(_ record: Record) throws -> String? {
            try peer.add(peerRecords: [RecordCoding.encode(record)]).fault
        }
        #expect(try add(Self.record("a", replicas: 40)) == nil)
        // The same again is nothing more.
        #expect(try add(Self.record("a", replicas: 40)) == nil)
        #expect(try add(Self.record("b", replicas: 60 + beyond)) == nil)
        #expect(list.refusedCount(from: House.peer) == 2)
        #expect((try add(Self.record("c", replicas: 1)) != nil) == (beyond > 0))
        #expect(list.refusedCount(from: House.peer) == (beyond > 0 ? 2 : 3))
        // It may write again: nothing is noted any more.
        list.forgetRefused(from: House.peer)
        #expect(try add(Self.record("c", replicas: 1)) == nil)
    }

    @Test(
        "of a peer so many bytes of deletions are held, and then nothing is taken before a person decides",
        arguments: [-1, 0, 1]
    )
    func held(beyond: Int) throws {
        var limit = Int.max
        for isLimited in [false, true] {
            let house = try House()
            let list = try house.reload { $0.heldLimit = limit }
            let peer = try Self.peer(house, list)
            func add(_ records: [Record]) throws -> String? {
                try peer.add(peerRecords: records.map { RecordCoding.encode($0) }).fault
            }
            let alive = (0..<10).map { Self.record("c\($0)", replicas: 2, note: 500) }
            #expect(try add(alive) == nil)
            list.settle()
            let dead = alive.map { record in
                var dead = record
                dead.fields[.alive] = nil
                return dead
            }
            #expect(try add(dead) == nil)
            let bytes = try #require(list.held[House.peer]?.bytes)
            #expect(bytes > 5000 && list.heldUIDs(from: House.peer).count == 10)
            let more = try add([Self.record("new", replicas: 1)])
            #expect((more != nil) == (isLimited && beyond > 0))
            #expect((list.record(UID("new")) == nil) == (more != nil))
            list.resume(deleting: true, session: SessionID(device: House.device, random: 1))
            #expect(list.held.isEmpty)
            #expect(try add([Self.record("new", replicas: 1)]) == nil)
            limit = bytes - beyond
        }
    }
}
