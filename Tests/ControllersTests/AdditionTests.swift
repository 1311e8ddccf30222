import AddressBook
import Controllers
import JSON
import Replication
import Testing

/// What the list does with what its add controllers bring.
@Suite("Additions")
struct AdditionTests {
    private func session(_ house: House, _ origin: Origin) throws -> AddController {
        let list = try #require(house.list)
        return list.addController(for: try house.login.login(origin, to: [list]))
    }

    @Test("what is said of a number and taken back within one turn leaves what was said last")
    func saidAndTakenBack() throws {
        let house = try House()
        let list = try #require(house.list)
        let add = try session(house, .command)
        add.add(.share(key: "+1", .yes))
        list.settle()
        add.add(.share(key: "+1", .no))
        add.add(.share(key: "+1", .yes))
        list.settle()
        #expect(list.index.catalog.mark(of: "+1") == .yes)
    }

    @Test("of a batch of which one is no record, none is added")
    func batchWithFlaw() throws {
        let house = try House()
        let list = try #require(house.list)
        let add = try session(house, .peer(device: House.peer, name: "desktop"))
        var record = Record(uid: UID("a"))
        record.put(
            .alive,
            Version(time: HybridTime(bits: 1), session: "s", value: true),
            dot: Dot(replica: ReplicaID(1), counter: 1),
            over: []
        )
        #expect(throws: RecordError.self) {
            try add.add(peerRecords: [RecordCoding.encode(record), "no record"])
        }
        #expect(list.record(UID("a")) == nil)
        #expect(try add.add(peerRecords: [RecordCoding.encode(record)]).uids == [UID("a")])
        #expect(try add.add(peerRecords: [RecordCoding.encode(record)]).uids.isEmpty)
    }

    @Test("a copy of this process that gave out our dots hides no value of any record, not only of the first")
    func copiedProcess() throws {
        let (house, copy) = (try House(), try House())
        let list = try #require(house.list)
        let add = try session(house, .command)
        for (uid, phone) in [("x", "+1"), ("y", "+2")] {
            add.add(add.saved(try house.contact("Ana", phone)), uid: UID(uid))
        }
        let others = try session(copy, .command)
        for uid in ["p", "q", "r", "x", "y"] {
            others.add(others.saved(try copy.contact("Bob", "+9")), uid: UID(uid))
        }
        let peer = try session(house, .peer(device: House.peer, name: "desktop"))
        for uid in ["x", "y"] {
            let record = try #require(copy.list?.record(UID(uid)))
            try peer.add(peerRecords: [RecordCoding.encode(record)])
        }
        list.settle()
        for (uid, phone) in [("x", "+1"), ("y", "+2")] {
            let record = try #require(list.record(UID(uid)))
            let numbers = PersonCard([record]).phones.map(\.number)
            #expect(numbers.sorted() == [phone, "+9"])
        }
        #expect(list.complaints.count == 1)
    }

    @Test("of two deletions of one moment the trash names the same one, whatever came first")
    func deletedAtOnce() throws {
        var seen: Set<String> = []
        for _ in 0..<8 {
            let house = try House()
            let list = try #require(house.list)
            let peer = try session(house, .peer(device: House.peer, name: "desktop"))
            for (replica, name) in [(UInt64(1), "one"), (2, "two"), (3, "three")] {
                var record = Record(uid: UID("a"))
                record.put(
                    .deleted,
                    Version(time: HybridTime(bits: 1), session: name, value: true),
                    dot: Dot(replica: ReplicaID(replica), counter: 1),
                    over: []
                )
                try peer.add(peerRecords: [RecordCoding.encode(record)])
            }
            seen.insert(try #require(list.dead[UID("a")]).session)
        }
        #expect(seen == ["three"])
    }
}
