import AddressBook
import JSON
import Replication
import Storage
import TestSupport
import Testing

@Suite struct RecordTests {
    let scratch: Scratch
    init() throws { scratch = try Scratch() }

    @Test("A record is read as it was written, also after a restart")
    func roundTrip() throws {
        let book = try scratch.withStore { store in
            let book = try store.book(named: "personal")
            try store.commit {
                $0.records = [record(book, "a", seq: 1, origin: "desk"), record(book, "", seq: 2)]
            }
            #expect(try store.record(book, "a") == record(book, "a", seq: 1, origin: "desk"))
            return book
        }
        try scratch.withStore { (store) throws in
            #expect(try store.book(named: "personal") == book)
            #expect(try store.record(book, "a") == record(book, "a", seq: 1, origin: "desk"))
            #expect(try store.record(book, "") == record(book, "", seq: 2))
            #expect(try store.record(book, "b") == nil)
        }
    }

    @Test("Uids are told apart by their bytes: composed and decomposed, with NUL, and of one hash")
    func exactUIDs() throws {
        try scratch.withStore { store in
            let book = try store.book(named: "b")
            let uids = ["\u{E9}", "e\u{301}", "x\u{0}", "x\u{0}y", "x"]
            var rows = uids.enumerated().map { record(book, $1, seq: UInt64($0 + 1)) }
            for n in rows.indices { rows[n].uidHash = ContentHash(high: 5, low: UInt64(n)) }
            try store.commit { $0.records = rows }
            for row in rows {
                #expect(try store.record(book, row.uid, uidHash: row.uidHash) == row)
            }
        }
    }

    @Test("A record that changes again moves to the head of the feed, and is there once")
    func moves() throws {
        try scratch.withStore { store in
            let book = try store.book(named: "b")
            try store.commit { $0.records = [record(book, "a", seq: 1), record(book, "b", seq: 2)] }
            try store.commit { $0.records = [record(book, "a", seq: 3, salt: "new")] }
            let rows = try store.records(book, after: 0, limit: 10, maxBytes: 1000)
            #expect(rows == [record(book, "b", seq: 2), record(book, "a", seq: 3, salt: "new")])
            #expect(try store.head(book) == 3)
            #expect(try store.counts(book).records == 2)
        }
    }

    @Test("A later row of one batch counts, and a record may get a new origin without moving")
    func sameBatch() throws {
        try scratch.withStore { store in
            let book = try store.book(named: "b")
            try store.commit {
                $0.records = [record(book, "a", seq: 1), record(book, "a", seq: 2, salt: "x")]
            }
            try store.commit { $0.records = [record(book, "a", seq: 2, salt: "x", origin: "desk")] }
            #expect(
                try store.records(book, after: 0, limit: 9, maxBytes: 999)
                    == [record(book, "a", seq: 2, salt: "x", origin: "desk")]
            )
        }
    }

    @Test("Books do not see each other's records")
    func books() throws {
        try scratch.withStore { store in
            let one = try store.book(named: "one")
            let two = try store.book(named: "two")
            try store.commit { $0.records = [record(one, "a", seq: 1), record(two, "a", seq: 1, salt: "2")] }
            #expect(try store.record(one, "a") == record(one, "a", seq: 1))
            #expect(try store.record(two, "a") == record(two, "a", seq: 1, salt: "2"))
            #expect(try store.profiles(two).count == 1)
        }
    }

    @Test("The profiles of a book come without the bodies, and other questions may be asked meanwhile")
    func profiles() throws {
        try scratch.withStore { store in
            let book = try store.book(named: "b")
            try store.commit { batch in
                batch.records = (1...50).map {
                    record(book, "u\($0)", seq: $0, origin: $0 % 2 == 0 ? "d" : nil)
                }
            }
            var seen = 0
            try store.eachProfile(book) { profile in
                seen += 1
                let whole = try? store.record(book, profile.uid, uidHash: profile.uidHash)
                #expect(whole?.profile == profile.profile && whole?.seq == profile.seq)
                #expect(whole?.origin == profile.origin && whole?.digest == profile.digest)
                #expect(!profile.isDamaged)
            }
            #expect(seen == 50)
        }
    }

    @Test("A removed record is gone, and its number is not given again")
    func removal() throws {
        try scratch.withStore { store in
            let book = try store.book(named: "b")
            try store.commit { $0.records = [record(book, "a", seq: 1), record(book, "b", seq: 2)] }
            try store.commit { $0.removedRecords = [(book, UID("b"), uidHash("b"))] }
            #expect(try store.record(book, "b") == nil)
            #expect(try store.counts(book).records == 1)
            #expect(try store.head(book) == 2)
        }
    }

    @Test("Whatever batches come, the store holds what a dictionary would", arguments: 0..<8 as Range<UInt64>)
    func oracle(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var expected: [String: RecordRow] = [:]
        var seq: UInt64 = 0
        for _ in 0..<3 {
            try scratch.withStore(replica: random.next()) { store in
                let book = try store.book(named: "b")
                for _ in 0..<10 {
                    var batch = Batch()
                    for _ in 0..<random.below(12) {
                        seq += UInt64(1 + random.below(3))
                        let uid = "u\(random.below(30))"
                        var row = record(book, uid, seq: seq, salt: "\(random.next())")
                        if random.chance(0.1) {
                            row.body += [UInt8](repeating: 120, count: random.below(9000))
                        }
                        batch.records.append(row)
                        expected[uid] = row
                    }
                    try store.writer.commit(batch).get()
                }
                let rows = try store.records(book, after: 0, limit: 1000, maxBytes: .max)
                #expect(rows == expected.values.sorted { $0.seq < $1.seq })
                #expect(try store.head(book) == seq)
                for (uid, row) in expected { #expect(try store.record(book, uid) == row) }
            }
        }
    }
}
