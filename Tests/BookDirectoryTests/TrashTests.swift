import BookDirectory
import Glibc
import Testing

@Suite struct TrashTests {
    let scratch = Scratch()

    @Test("what is kept can be read, is its owner's only, and is gone when removed")
    func keeps() throws {
        let trash = scratch.trash()
        let id = try trash.keep(Array("1".utf8), name: "Ana Holm.json")
        let twin = try trash.keep(Array("1".utf8), name: "Ana Holm.json")
        #expect(id != twin)
        #expect(try trash.list().map(\.name) == ["Ana Holm.json", "Ana Holm.json"])
        #expect(try trash.list().map(\.size) == [1, 1])
        #expect(status(scratch.root + "/state/trash/" + id).st_mode & 0o777 == 0o600)
        try trash.remove(twin)
        try trash.remove(twin)
        #expect(try trash.read(id) == Array("1".utf8))
        #expect(try trash.list().map(\.id) == [id])
    }

    @Test("the longest name fits")
    func longName() throws {
        let id = try scratch.trash().keep([1], name: String(repeating: "ä", count: 125) + ".json")
        #expect(try scratch.trash().read(id) == [1])
    }

    @Test("old items are forgotten, then the oldest above the limit")
    func prunes() throws {
        let trash = scratch.trash()
        var ids: [String] = []
        for second in 1...6 {
            let id = try trash.keep([UInt8](repeating: 0, count: 100), name: "\(second).json")
            setTime(scratch.root + "/state/trash/" + id, second)
            ids.append(id)
        }
        #expect(try trash.prune(olderThan: 1_000_000_000, limit: 600).isEmpty)
        #expect(try trash.prune(olderThan: 3_000_000_000, limit: 600) == Array(ids[0...1]))
        #expect(try trash.prune(olderThan: 0, limit: 399) == [ids[2]])
        #expect(try trash.list().map(\.id) == Array(ids[3...]))
    }

    @Test("a batch is kept as a whole or not at all")
    func batch() throws {
        let steps = Steps()
        var calls = FileCalls.linux
        calls.write = { file, bytes throws(Errno) in
            if steps.count("write") == 3 { throw Errno(ENOSPC) }
            try FileCalls.linux.write(file, bytes)
        }
        let trash = scratch.trash(calls)
        let items = (0..<4).map { Trash.Item(bytes: [$0], name: "\($0).json") }
        #expect(throws: DirectoryError.self) { try trash.keep(items) }
        #expect(listing(scratch.root + "/state/trash").isEmpty)
        let ids = try trash.keep(items)
        #expect(try ids.map { try trash.read($0) } == [[0], [1], [2], [3]])
    }
}
