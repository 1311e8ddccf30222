import AddressBook
import JSON
import Replication
import Testing

@testable import Storage

@Suite struct DamageTests {
    let scratch: Scratch
    init() throws { scratch = try Scratch() }

    @Test(
        "A row altered by one byte is found, wherever the byte is",
        arguments: [
            "UPDATE bodies SET body = CAST(replace(CAST(body AS TEXT), 'salt', 'salz') AS BLOB) WHERE id = 2",
            "UPDATE bodies SET body = zeroblob(0) WHERE id = 2", "DELETE FROM bodies WHERE id = 2",
            "UPDATE records SET digest_low = ~digest_low WHERE id = 2",
            "UPDATE records SET body_high = body_high + 1 WHERE id = 2",
            "UPDATE records SET profile = CAST('profile of u3 ' AS BLOB) WHERE id = 2",
            "UPDATE records SET origin = 'desk' WHERE id = 2", "UPDATE records SET seq = 99 WHERE id = 2",
        ]
    )
    func oneByte(sql: String) throws {
        try scratch.withStore { store in
            let book = try store.book(named: "b")
            try store.commit { batch in batch.records = (1...3).map { record(book, "u\($0)", seq: $0) } }
            let other = try Database(path: scratch.database)
            defer { other.close() }
            try other.run(sql)
            #expect(try store.record(book, "u2")?.isDamaged == true)
            #expect(try store.record(book, "u1")?.isDamaged == false)
            let feed = try store.records(book, after: 0, limit: 9, maxBytes: .max)
            #expect(feed.filter(\.isDamaged).map(\.uid) == [UID("u2")])
            if sql.contains("UPDATE records") {
                #expect(try store.profiles(book).filter(\.isDamaged).map(\.uid) == [UID("u2")])
            }
            let piece = try store.scrub(book, from: 0, limit: 10)
            #expect(piece.damaged.map(\.uid) == [UID("u2")] && piece.next == nil)

            // Writing it again heals it.
            try store.commit { $0.records = [record(book, "u2", seq: 100, salt: "healed")] }
            #expect(try store.record(book, "u2") == record(book, "u2", seq: 100, salt: "healed"))
            #expect(try store.scrub(book, from: 0, limit: 10).damaged.isEmpty)
        }
    }

    @Test("A row whose uid is damaged is named as it is read, and can be taken out so")
    func damagedUID() throws {
        try scratch.withStore { store in
            let book = try store.book(named: "b")
            try store.commit { $0.records = [record(book, "u1", seq: 1)] }
            let other = try Database(path: scratch.database)
            defer { other.close() }
            try other.run("UPDATE records SET uid = CAST('v1' AS BLOB)")
            let damaged = try store.scrub(book, from: 0, limit: 10).damaged
            #expect(damaged.map(\.uid) == [UID("v1")])
            try store.commit { $0.removedRecords = damaged.map { (book, $0.uid, $0.uidHash) } }
            #expect(try store.counts(book).records == 0)
        }
    }

    @Test("A scrub in pieces looks at every record once", arguments: [1, 3, 9, 10, 11])
    func pieces(limit: Int) throws {
        try scratch.withStore { store in
            let book = try store.book(named: "b")
            let other = try store.book(named: "c")
            try store.commit { batch in
                for n in 1...10 as ClosedRange<UInt64> {
                    batch.records += [record(book, "u\(n)", seq: n), record(other, "u\(n)", seq: n)]
                }
            }
            let second = try Database(path: scratch.database)
            defer { second.close() }
            try second.run("UPDATE bodies SET body = zeroblob(3)")
            var found: [UID] = []
            var place: Int64? = 0
            while let from = place {
                let piece = try store.scrub(book, from: from, limit: limit)
                #expect(piece.damaged.count <= limit)
                found += piece.damaged.map(\.uid)
                place = piece.next
            }
            #expect(found == (1...10).map { UID("u\($0)") })
        }
    }

    @Test("A page of the database that is overwritten later is an error of its own, not a crash")
    func brokenPage() throws {
        let book = try scratch.withStore { store in
            let book = try store.book(named: "b")
            try store.commit { batch in batch.records = (1...2000).map { record(book, "u\($0)", seq: $0) } }
            return book
        }
        var bytes = try scratch.read("contactsync.db")
        for at in (20 * 4096)..<bytes.count { bytes[at] = 0xA5 }
        try scratch.write(bytes, "contactsync.db")
        try scratch.withStore { store in
            let error = #expect(throws: StorageError.self) { try store.profiles(book) }
            #expect(error?.isMalformed == true)
        }
    }
}
