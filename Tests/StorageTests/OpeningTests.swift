import Glibc
import TestSupport
import Testing

@testable import Storage

@Suite struct OpeningTests {
    let scratch: Scratch
    init() throws { scratch = try Scratch() }

    @Test("A second daemon on one state directory is refused until the first has closed")
    func lock() throws {
        try scratch.withStore { _ in
            let refused = StorageError.alreadyRunning(path: scratch.directory)
            #expect(throws: refused) { try Store.open(directory: scratch.directory, hash: .test) }
            #expect(throws: refused) { try Store.setAside(directory: scratch.directory, now: 1) }
        }
        try scratch.withStore { _ in }
    }

    @Test("The directory is made where missing, and what it holds is for the owner only")
    func modes() throws {
        let directory = scratch.directory + "/a/b"
        let store = try Store.open(directory: directory, hash: .test)
        defer { store.close() }
        _ = try store.book(named: "b")
        func mode(_ path: String) -> mode_t {
            var found = stat()
            return unsafe stat(path, &found) == 0 ? found.st_mode & 0o777 : 0
        }
        #expect(mode(directory) == 0o700)
        for name in ["contactsync.db", "contactsync.db-wal", "contactsync.db-shm", "lock"] {
            #expect(mode(directory + "/" + name) == 0o600, "\(name)")
        }
    }

    @Test("A database from the future is refused with a sentence and left as it is")
    func future() throws {
        try scratch.withStore { _ in }
        let later = try Database(path: scratch.database)
        try later.script("PRAGMA user_version = 99")
        later.close()
        let error = #expect(throws: StorageError.self) {
            try Store.open(directory: scratch.directory, hash: .test)
        }
        let known = Schema.steps.count
        #expect(error == .fromTheFuture(version: 99, known: known, path: scratch.database))
        #expect(error?.description.contains("newer contactsync (version 99") == true)
    }

    @Test("A database that is none is malformed, is set aside whole, and the next start begins anew")
    func malformed() throws {
        try scratch.write([UInt8](repeating: 65, count: 8192), "contactsync.db")
        try scratch.write([1, 2, 3], "contactsync.db-wal")
        let error = #expect(throws: StorageError.self) {
            try Store.open(directory: scratch.directory, hash: .test)
        }
        #expect(error?.isMalformed == true)
        let aside = try Store.setAside(directory: scratch.directory, now: 1000)
        #expect(aside == scratch.database + ".broken-1000")
        #expect(try scratch.read("contactsync.db.broken-1000").first == 65)
        try scratch.withStore { (store) throws in #expect(try store.book(named: "b") == 1) }
        // A second one at the same time does not replace the first.
        #expect(
            try Store.setAside(directory: scratch.directory, now: 1000) == scratch.database + ".broken-1001"
        )
        #expect(
            try scratch.contents().isSuperset(of: [
                "contactsync.db.broken-1000", "contactsync.db.broken-1001",
            ])
        )
    }

    @Test("A log that was set aside is not played into the next database")
    func oldLog() throws {
        let store = try Store.open(directory: scratch.directory, hash: .test)
        _ = try store.book(named: "old")
        let log = try scratch.read("contactsync.db-wal")
        store.close()
        try scratch.write(log, "contactsync.db-wal")
        try scratch.write([UInt8](repeating: 65, count: 8192), "contactsync.db")
        try Store.setAside(directory: scratch.directory, now: 5)
        #expect(
            try scratch.contents().isSuperset(of: ["contactsync.db.broken-5", "contactsync.db.broken-5-wal"])
        )
        try scratch.withStore { (store) throws in #expect(try store.book(named: "new") == 1) }
    }

    @Test("An older database is migrated step by step, and a step that fails leaves it as it was")
    func migration() throws {
        let database = try Database(path: scratch.database)
        defer { database.close() }
        func version() throws -> Int64? { try database.search("PRAGMA user_version") { $0.integer(0) } }
        let first = "CREATE TABLE t (x INTEGER); INSERT INTO t VALUES (1)"
        try Schema.migrate(database, steps: [first])
        #expect(try version() == 1)
        #expect(throws: StorageError.self) {
            try Schema.migrate(database, steps: [first, "ALTER TABLE t ADD y INTEGER", "nonsense"])
        }
        #expect(try version() == 1)
        #expect(throws: StorageError.self) { try database.run("SELECT y FROM t") }
        try Schema.migrate(database, steps: [first, "ALTER TABLE t ADD y INTEGER", "UPDATE t SET y = x + 1"])
        #expect(try version() == 3)
        #expect(try database.search("SELECT y FROM t") { $0.integer(0) } == 2)
    }

    @Test("Closing twice is once, and closing moves the log into the database")
    func closing() throws {
        let store = try Store.open(directory: scratch.directory, hash: .test)
        _ = try store.book(named: "b")
        store.close()
        store.close()
        #expect(try scratch.contents() == ["contactsync.db", "lock"])
    }
}
