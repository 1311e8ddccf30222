import AddressBook
import Controllers
import JSON
import Replication
import Testing

/// What the list does with what a peer may not, or hardly, mean.
@Suite("Hostile records")
struct HostileRecordTests {
    private func peer(_ house: House) throws -> AddController {
        let list = try #require(house.list)
        let origin = Origin.peer(device: House.peer, name: "desktop")
        return list.addController(for: try house.login.login(origin, to: [list]))
    }

    /// A record with so many versions of its name, from a replica of its own.
    private func record(_ uid: String, replica: UInt64, versions: Int = 1) -> Record {
        var record = Record(uid: UID(uid))
        for n in 1...versions {
            record.put(
                FieldKey(member: "name"),
                Version(time: HybridTime(bits: 1), session: "s", value: "Ana"),
                dot: Dot(replica: ReplicaID(replica), counter: UInt64(n)),
                over: []
            )
        }
        return record
    }

    @Test("whoever knows more of this start than it gave out gets ten new IDs an hour, then nothing is taken")
    func renewals() throws {
        let house = try House()
        let list = try #require(house.list)
        let peer = try peer(house)
        for n in 1...Replica.renewalsPerHour {
            let id = house.replica.id
            #expect(
                try peer.add(peerRecords: [RecordCoding.encode(record("u\(n)", replica: id.bits))]).fault
                    == nil
            )
            #expect(house.replica.id != id)
        }
        let id = house.replica.id
        let once = RecordCoding.encode(record("more", replica: id.bits))
        #expect(try peer.add(peerRecords: [once]).fault != nil)
        #expect(house.replica.id == id)
        #expect(list.record(UID("more")) == nil)
        #expect(list.complaints.last?.hasPrefix("desktop ") == true)
        // What says nothing of it is taken as before.
        #expect(try peer.add(peerRecords: [RecordCoding.encode(record("other", replica: 3))]).fault == nil)
        house.time += 3_600_000
        #expect(try peer.add(peerRecords: [once]).fault == nil)
        #expect(house.replica.id != id)
    }

    @Test("a book takes records of peers up to its limit, and changes of those it has beyond")
    func full() throws {
        let house = try House()
        let list = try house.reload { $0.recordLimit = 3 }
        let origin = Origin.peer(device: House.peer, name: "desktop")
        let peer = list.addController(for: try house.login.login(origin, to: [list]))
        func add(_ records: Record...) throws -> Receipt {
            try peer.add(peerRecords: records.map { RecordCoding.encode($0) })
        }
        #expect(try add(record("a", replica: 1), record("b", replica: 1)).fault == nil)
        #expect(try add(record("c", replica: 1), record("d", replica: 1)).fault != nil)
        #expect(list.record(UID("c")) == nil)
        #expect(try add(record("c", replica: 1)).fault == nil)
        #expect(try add(record("d", replica: 1)).fault != nil)
        #expect(try add(record("a", replica: 2)).uids == [UID("a")])
        #expect(list.complaints == ["the book is full: desktop sends more than 3 contacts"])
    }

    @Test(
        "a book takes as many names and numbers of peers as its memory may hold, and changes that need no more",
        arguments: [-1, 0, 1]
    )
    func profiles(beyond: Int) throws {
        func contact(_ uid: String, numbers: Int, replica: UInt64) -> Record {
            var record = record(uid, replica: replica)
            let alive = Version(time: .zero, session: "s", value: true)
            record.put(.alive, alive, dot: Dot(replica: ReplicaID(replica), counter: 9), over: [])
            for n in 0..<numbers {
                let dot = Dot(replica: ReplicaID(replica), counter: UInt64(10 + n))
                let version = Version(
                    time: .zero,
                    session: "s",
                    value: ["number": "1"],
                    key: "+\(1000 + n)\(uid)"
                )
                record.put(FieldKey(member: "phones", entry: "p\(n)"), version, dot: dot, over: [])
            }
            return record
        }
        let house = try House()
        let first = contact("a", numbers: 200, replica: 1)
        let second = contact("b", numbers: 100, replica: 1)
        // The second is counted as if it shared nothing.
        var catalog = Catalog()
        catalog.replace(first.uid, with: Profile(first))
        let limit = catalog.size + Profile(second).size - beyond
        let list = try house.reload { $0.profileLimit = limit }
        let origin = Origin.peer(device: House.peer, name: "desktop")
        let peer = list.addController(for: try house.login.login(origin, to: [list]))
        func add(_ record: Record) throws -> Receipt {
            try peer.add(peerRecords: [RecordCoding.encode(record)])
        }
        #expect(try add(first).fault == nil)
        list.settle()
        let receipt = try add(second)
        #expect((receipt.fault != nil) == (beyond > 0))
        #expect((list.record(UID("b")) == nil) == (beyond > 0))
        #expect(
            list.complaints.contains { $0.hasPrefix("the book is full: what desktop sends") } == (beyond > 0)
        )
        // A change that takes no more room is taken.
        var edited = first
        let note = Version(time: .zero, session: "s", value: ["note": "x"])
        edited.put(
            FieldKey(member: "notes", entry: "n"),
            note,
            dot: Dot(replica: ReplicaID(2), counter: 1),
            over: []
        )
        #expect(try add(edited).uids == [UID("a")])
    }

    @Test("a record that a peer would make too large stays as it is, and is named as refused")
    func outgrown() throws {
        let house = try House()
        let list = try #require(house.list)
        let peer = try peer(house)
        func add(_ record: Record) throws -> Receipt {
            try peer.add(peerRecords: [RecordCoding.encode(record)])
        }
        let half = RecordLimits.versionsOfField / 2
        #expect(try !add(record("a", replica: 1, versions: half)).heldChanged)
        #expect(try !add(record("a", replica: 2, versions: half)).heldChanged)
        let before = list.record(UID("a"))
        let refused = try add(record("a", replica: 3))
        #expect(refused.heldChanged)
        #expect(refused.fault == nil)
        #expect(list.record(UID("a")) == before)
        #expect(throws: RecordError.self) {
            try add(record("b", replica: 1, versions: RecordLimits.versionsOfField + 1))
        }
    }
}
