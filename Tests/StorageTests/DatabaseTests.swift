import JSON
import Testing

@testable import Storage

@Suite struct DatabaseTests {
    let scratch: Scratch
    init() throws { scratch = try Scratch() }

    @Test("Values come back as they were bound, empty ones and NUL included")
    func values() throws {
        let database = try Database(path: scratch.database)
        defer { database.close() }
        let found: Void? = try database.search(
            "SELECT ?, ?, ?, ?, ?, ?, typeof(?)",
            [
                .text("a\u{0}\u{E9}"), .text(""), .blob([]), .blob([0, 1]), .bits(.max), .null, .blob([]),
            ]
        ) { row in
            #expect(row.text(0).isExactly("a\u{0}\u{E9}"))
            #expect(row.optionalText(1) == "")
            #expect(row.bytes(2) == [] && !row.isNull(2))
            #expect(row.bytes(3) == [0, 1])
            #expect(row.bits(4) == .max && row.integer(4) == -1)
            #expect(row.optionalText(5) == nil)
            #expect(row.text(6) == "blob")
        }
        #expect(found != nil)
    }

    @Test("An error says what failed: code, statement and file")
    func errors() throws {
        let database = try Database(path: scratch.database)
        defer { database.close() }
        let error = #expect(throws: StorageError.self) { try database.run("SELECT x FROM missing") }
        let path = scratch.database
        #expect(
            error
                == .failed(
                    code: 1,
                    message: "no such table: missing",
                    sql: "SELECT x FROM missing",
                    path: path
                )
        )
        #expect(throws: StorageError.self) { try Database(path: scratch.directory + "/no/where") }
    }

    @Test("A transaction whose body throws leaves nothing, and the next one works")
    func rollback() throws {
        let database = try Database(path: scratch.database)
        defer { database.close() }
        try database.script("CREATE TABLE t (x INTEGER UNIQUE)")
        #expect(throws: StorageError.self) {
            try database.transaction { () throws(StorageError) in
                try database.run("INSERT INTO t VALUES (1)")
                try database.run("INSERT INTO t VALUES (1)")
            }
        }
        try database.transaction { () throws(StorageError) in try database.run("INSERT INTO t VALUES (2)") }
        #expect(try database.search("SELECT group_concat(x) FROM t") { $0.text(0) } == "2")
    }

    @Test("A query that is left early, or by an error, can be run again")
    func early() throws {
        let database = try Database(path: scratch.database)
        defer { database.close() }
        let numbers = "WITH t (value) AS (VALUES (1), (2), (3)) SELECT value FROM t"
        #expect(throws: StorageError.self) {
            try database.query(numbers) { (_) throws(StorageError) in throw .alreadyRunning(path: "") }
        }
        for _ in 0..<2 { #expect(try database.search(numbers) { $0.integer(0) } == 1) }
        var sum: Int64 = 0
        try database.query(numbers) { sum += $0.integer(0) }
        #expect(sum == 6)
    }

    @Test("A query inside itself is our own mistake")
    func nested() async {
        await #expect(processExitsWith: .failure) {
            let database = try Database(path: ":memory:")
            try database.query("SELECT 1") { (_) throws(StorageError) in try database.run("SELECT 1") }
        }
    }

    @Test(
        "Lists are unpacked as they were packed, and damage ends them",
        arguments: [[], [""], ["a", ",", "3:x,", "é"]]
    )
    func packing(texts: [String]) {
        let bytes = Packing.pack(texts)
        #expect(Packing.texts(bytes) == texts)
        for count in bytes.indices { #expect(texts.starts(with: Packing.texts(Array(bytes[..<count])))) }
        #expect(Packing.texts(Array("9999999999999999999:a,".utf8)).isEmpty)
        #expect(Packing.texts(Array("-1:a,".utf8)).isEmpty)
        let numbers: [Int64] = [0, -1, .max, .min, 7]
        #expect(Packing.numbers(Packing.pack(numbers)) == numbers)
    }
}
