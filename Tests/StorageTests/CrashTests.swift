import AddressBook
import Glibc
import JSON
import Replication
import TestSupport
import Testing

@testable import Storage

@Suite struct CrashTests {
    let scratch: Scratch
    init() throws { scratch = try Scratch() }

    /// A big first batch is there; a second one with parts of every kind follows.
    private static func second(_ book: BookID) -> Batch {
        var batch = Batch()
        batch.records = (51...100).map { record(book, "u\($0)", seq: $0) } + [record(book, "u1", seq: 101)]
        batch.files = [FileRow(book: book, name: "f", stamp: [1, 2, 3, 4, 5, 6], state: [1])]
        batch.checkpoints = [(book, "peer", Checkpoint(seq: 8, mark: 8))]
        batch.meta = [("clock", [2])]
        return batch
    }

    private static func first(_ book: BookID) -> Batch {
        var batch = Batch()
        batch.records = (1...50).map { record(book, "u\($0)", seq: $0) }
        batch.meta = [("clock", [1])]
        return batch
    }

    /// Whether the second batch is there; it is whole or not at all.
    private func hasSecond(_ store: Store, _ book: BookID) throws -> Bool {
        let clock = try store.meta("clock")
        let whole = clock == [2]
        #expect(whole || clock == [1])
        #expect(try store.counts(book).records == (whole ? 100 : 50))
        #expect(try store.head(book) == (whole ? 101 : 50))
        #expect(try store.files(book).count == (whole ? 1 : 0))
        #expect(try store.checkpoints(book).count == (whole ? 1 : 0))
        #expect(try store.record(book, "u1")?.seq == (whole ? 101 : 1))
        #expect(try store.profiles(book).allSatisfy { !$0.isDamaged })
        return whole
    }

    /// Lets no file of this process grow beyond some bytes.
    private static func limitFiles(to bytes: rlim_t) {
        var limit = rlimit(rlim_cur: bytes, rlim_max: rlim_t.max)
        let code = unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        precondition(code == 0, "the limit is the process's own")
    }

    @Test(
        "A process that is killed in the middle of a commit leaves the batch before it and nothing of this one"
    )
    func killed() async throws {
        let directory = scratch.directory
        await #expect(processExitsWith: .signal(SIGKILL)) { [directory = directory as String] in
            // The hash is called for each line of the journal inside the transaction, when the records are written and
            // the values are not.
            let fatal = HashFunction { bytes in
                kill(getpid(), SIGKILL)
                return HashFunction.test.sha256(bytes)
            }
            let store = try Store.open(directory: directory, hash: fatal)
            store.recordStart(replica: 7)
            let book = try store.book(named: "b")
            // So small that the transaction must spill into the log before it ends.
            try store.writer.script("PRAGMA cache_size = 2")
            try store.writer.commit(CrashTests.first(book)).get()
            var batch = CrashTests.second(book)
            batch.history = [
                HistoryRow(
                    book: book,
                    uid: UID("u1"),
                    time: 1,
                    session: "s",
                    origin: "file",
                    what: "changed",
                    fields: []
                )
            ]
            try store.writer.commit(batch).get()
        }
        try scratch.withStore { store in
            let book = try store.book(named: "b")
            #expect(try !hasSecond(store, book))
            try store.writer.commit(Self.second(book)).get()
            #expect(try hasSecond(store, book))
        }
    }

    @Test("Wherever the log is cut off, the last batch is there whole or not at all")
    func tornLog() throws {
        let store = try Store.open(directory: scratch.directory, hash: .test)
        store.recordStart(replica: 7)
        let book = try store.book(named: "b")
        try store.writer.commit(Self.first(book)).get()
        let before = try scratch.read("contactsync.db-wal").count
        try store.writer.commit(Self.second(book)).get()
        // What the disk holds while the daemon runs, as a power cut would leave it.
        let database = try scratch.read("contactsync.db")
        let log = try scratch.read("contactsync.db-wal")
        store.close()
        #expect(log.count > before)

        var whole = 0
        let cuts = Array(stride(from: before, to: log.count, by: 1500)) + [log.count - 1, log.count]
        for cut in cuts {
            let copy = try Scratch()
            try copy.write(database, "contactsync.db")
            try copy.write(log[..<cut], "contactsync.db-wal")
            whole += try copy.withStore { try hasSecond($0, book) } ? 1 : 0
        }
        #expect(whole == 1, "only the complete log holds the second batch")
    }

    @Test("A full disk is a typed error, leaves nothing half-done, and the same batch goes in afterwards")
    func full() throws {
        try scratch.withStore { store in
            let book = try store.book(named: "b")
            try store.writer.commit(Self.first(book)).get()
            try store.writer.script("PRAGMA max_page_count = 1")
            var batch = Self.second(book)
            batch.records[3].body = [UInt8](repeating: 1, count: 1 << 17)
            guard case .failure(let error) = store.writer.commit(batch) else {
                Issue.record("a full disk was not noticed")
                return
            }
            #expect(error.isDiskFull)
            #expect(try !hasSecond(store, book))
            try store.writer.script("PRAGMA max_page_count = 1000000")
            try store.writer.commit(batch).get()
            #expect(try hasSecond(store, book))
            #expect(try store.mark(book, of: 101) == 7)
        }
    }

    @Test("A write that the system refuses is an error, and the store works again when it is allowed")
    func refusedWrite() async {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            let store = try Store.open(directory: scratch.directory, hash: .test)
            store.recordStart(replica: 7)
            let book = try store.book(named: "b")
            _ = signal(SIGXFSZ, SIG_IGN)
            CrashTests.limitFiles(to: 100_000)
            var batch = CrashTests.first(book)
            batch.records[3].body = [UInt8](repeating: 1, count: 1 << 17)
            guard case .failure = store.writer.commit(batch) else {
                preconditionFailure("the write was refused")
            }
            CrashTests.limitFiles(to: .max)
            try store.writer.commit(batch).get()
            let records = try store.counts(book).records
            precondition(records == 50, "the batch is there")
            store.close()
        }
    }
}
