import AddressBook
import TestSupport
import Replication
import Storage
import Testing

@Suite struct FeedTests {
    let scratch: Scratch
    init() throws { scratch = try Scratch() }

    @Test("The feed stops at, not above, the number of rows and of bytes, but always gives one row")
    func limits() throws {
        try scratch.withStore { store in
            let book = try store.book(named: "b")
            let rows = (1...5).map { record(book, "u\($0)", seq: $0) }
            let size = rows[0].body.count
            try store.commit { $0.records = rows }
            func feed(_ limit: Int, _ bytes: Int, after: UInt64 = 0) throws -> [UInt64] {
                try store.records(book, after: after, limit: limit, maxBytes: bytes).map(\.seq)
            }
            #expect(try feed(3, .max) == [1, 2, 3])
            #expect(try feed(3, .max, after: 3) == [4, 5])
            #expect(try feed(9, .max, after: 5) == [])
            #expect(try feed(9, 3 * size - 1) == [1, 2])
            #expect(try feed(9, 3 * size) == [1, 2, 3])
            #expect(try feed(9, 3 * size + 1) == [1, 2, 3])
            #expect(try feed(9, 0, after: 1) == [2])
        }
    }

    @Test("Rows that came from the asking device come without their body and cost no bytes")
    func origin() throws {
        try scratch.withStore { store in
            let book = try store.book(named: "b")
            let rows = (1...6).map { record(book, "u\($0)", seq: $0, origin: $0 == 6 ? nil : "desk") }
            try store.commit { $0.records = rows }
            let feed = try store.records(book, after: 0, limit: 9, maxBytes: 1, withoutBodiesFrom: "desk")
            #expect(feed.map(\.seq) == [1, 2, 3, 4, 5, 6])
            #expect(feed.dropLast().allSatisfy { $0.body.isEmpty && !$0.isDamaged })
            #expect(feed.last == rows.last)
        }
    }

    @Test("A place in the feed is known by the start that committed it")
    func marks() throws {
        try scratch.withStore(replica: 100) { store in
            let book = try store.book(named: "b")
            #expect(try store.knows(book, .start))
            try store.commit { $0.records = [record(book, "a", seq: 1), record(book, "b", seq: 2)] }
        }
        // A start that writes nothing leaves no mark.
        try scratch.withStore(replica: 150) { _ in }
        try scratch.withStore(replica: .max) { store in
            let book = try store.book(named: "b")
            try store.commit { $0.records = [record(book, "c", seq: 3)] }
            try store.commit { $0.records = [record(book, "c", seq: 4)] }
            #expect(
                try [0, 1, 2, 3, 4, 5].map { try store.mark(book, of: $0) } == [0, 100, 100, .max, .max, 0]
            )
            for (seq, mark, known) in [
                (1, 100, true), (2, 100, true), (2, .max, false), (3, 100, false), (4, .max, true),
                (5, .max, false),
                (0, 100, false), (5, 0, false), (1, 0, false), (.max, .max, false),
            ] as [(UInt64, UInt64, Bool)] {
                #expect(try store.knows(book, Checkpoint(seq: seq, mark: mark)) == known, "\(seq) \(mark)")
            }
        }
    }

    @Test("A restored database does not know what the lost one gave out under the same numbers")
    func restored() throws {
        let book = try scratch.withStore(replica: 1) { store in
            let book = try store.book(named: "b")
            try store.commit { $0.records = [record(book, "a", seq: 1)] }
            return book
        }
        let backup = try scratch.read("contactsync.db")
        try scratch.withStore(replica: 2) { store in
            try store.commit { $0.records = [record(book, "b", seq: 2), record(book, "c", seq: 3)] }
            #expect(try store.knows(book, Checkpoint(seq: 3, mark: 2)))
        }
        try scratch.write(backup, "contactsync.db")
        try scratch.withStore(replica: 3) { store in
            #expect(try !store.knows(book, Checkpoint(seq: 3, mark: 2)))
            try store.commit { $0.records = [record(book, "d", seq: 2), record(book, "e", seq: 3)] }
            #expect(try !store.knows(book, Checkpoint(seq: 3, mark: 2)))
            #expect(try store.knows(book, Checkpoint(seq: 1, mark: 1)))
            #expect(try store.knows(book, Checkpoint(seq: 3, mark: 3)))
        }
    }

    @Test("A row that only gets a new origin keeps the mark of the start that committed it")
    func originKeepsMark() throws {
        try scratch.withStore(replica: 1) { store in
            let book = try store.book(named: "b")
            try store.commit { $0.records = [record(book, "a", seq: 1)] }
            store.recordStart(replica: 2)
            try store.commit { $0.records = [record(book, "a", seq: 1, origin: "desk")] }
            #expect(try store.mark(book, of: 1) == 1)
            store.recordStart(replica: 3)
            try store.commit { $0.records = [record(book, "b", seq: 2)] }
            #expect(try [1, 2].map { try store.mark(book, of: $0) } == [1, 3])
        }
    }

    @Test("A record without a recorded start is our own mistake")
    func noStart() async {
        await #expect(processExitsWith: .failure) { [directory = scratch.directory as String] in
            let store = try Store.open(directory: directory, hash: .test)
            let book = try store.book(named: "b")
            var batch = Batch()
            batch.records = [record(book, "a", seq: 1)]
            _ = store.writer.commit(batch)
        }
    }

    @Test("Checkpoints are kept for each peer and book, and forgotten with the peer")
    func checkpoints() throws {
        try scratch.withStore { store in
            let one = try store.book(named: "one")
            let two = try store.book(named: "two")
            let far = Checkpoint(seq: UInt64.max, mark: UInt64.max)
            try store.commit {
                $0.checkpoints = [
                    (one, "p", Checkpoint(seq: 1, mark: 9)), (one, "q", Checkpoint(seq: 2, mark: 9)),
                    (two, "p", far),
                ]
            }
            try store.commit { $0.checkpoints = [(one, "p", Checkpoint(seq: 5, mark: 9)), (one, "q", nil)] }
            #expect(try store.checkpoints(one) == ["p": Checkpoint(seq: 5, mark: 9)])
            #expect(try store.checkpoints(two) == ["p": far])
        }
    }
}
