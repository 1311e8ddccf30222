import AddressBook
import FoundationEssentials
import JSON
import Replication
import Storage
import TestSupport
import Testing

/// A state directory of its own for a test, gone with it.
final class Scratch {
    let directory: String
    var database: String { directory + "/contactsync.db" }

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)")
        directory = url.path(percentEncoded: false)
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    /// Opens the store, names a start, hands it over, and closes it.
    func withStore<Result>(replica: UInt64 = 7, _ body: (Store) throws -> Result) throws -> Result {
        let store = try Store.open(directory: directory, hash: .test)
        defer { store.close() }
        store.recordStart(replica: replica)
        return try body(store)
    }

    func contents() throws -> Set<String> {
        try Set(FileManager.default.contentsOfDirectory(atPath: directory))
    }

    func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: directory + "/" + name)))
    }

    func write(_ bytes: some Sequence<UInt8>, _ name: String) throws {
        try Data(bytes).write(to: URL(filePath: directory + "/" + name))
    }
}

/// The hash of a uid as the daemon computes it.
func uidHash(_ uid: String) -> ContentHash { HashFunction.test.hash(Array(uid.utf8)) }

/// A record whose contents follow from uid, number and `salt`.
func record(_ book: BookID, _ uid: String, seq: UInt64, salt: String = "", origin: String? = nil) -> RecordRow
{
    RecordRow(
        book: book,
        uid: UID(uid),
        uidHash: uidHash(uid),
        seq: seq,
        digest: HashFunction.test.hash(Array("digest \(uid) \(salt)".utf8)),
        profile: Array("profile of \(uid) \(salt)".utf8),
        body: Array("{\"uid\":\"\(uid)\",\"salt\":\"\(salt)\"}".utf8),
        origin: origin
    )
}

extension Store {
    func commit(_ build: (inout Batch) -> Void) throws {
        var batch = Batch()
        build(&batch)
        try writer.commit(batch).get()
    }

    func record(_ book: BookID, _ uid: String) throws -> RecordRow? {
        try record(book, UID(uid), uidHash: uidHash(uid))
    }

    func profiles(_ book: BookID) throws -> [ProfileRow] {
        var rows: [ProfileRow] = []
        try eachProfile(book) { rows.append($0) }
        return rows
    }

    func files(_ book: BookID) throws -> [FileRow] {
        var rows: [FileRow] = []
        try eachFile(book) { rows.append($0) }
        // Another thread is told the same.
        var apart: [FileRow] = []
        try detachedEachFile(book) { apart.append($0) }
        #expect(apart == rows)
        return rows.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }
}

extension StorageError {
    var isMalformed: Bool {
        if case .malformed = self { true } else { false }
    }
}
