import Glibc
import Supervision
import TestSupport
import Testing

@Suite("The journal")
struct JournalTests {
    @Test("gets an entry with fields; a value of several lines goes with its length")
    func entry() throws {
        let receiver = try receiver()
        let journal = try #require(JournalSocket(receiver.path))
        #expect(journal.write([("MESSAGE", "desk: connected"), ("PEER", "desk"), ("TEXT", "a\nb")]))
        let expected =
            Array("MESSAGE=desk: connected\nPEER=desk\nTEXT\n".utf8) + [3, 0, 0, 0, 0, 0, 0, 0]
            + Array("a\nb\n".utf8)
        #expect(receiver.next() == expected)
    }

    @Test("says so where it does not take one")
    func refused() throws {
        let receiver = try receiver()
        let journal = try #require(JournalSocket(receiver.path))
        #expect(!journal.write([("MESSAGE", String(repeating: "x", count: 16 << 20))]))
        #expect(JournalSocket("/nonexistent/journal") == nil)
    }

    @Test("is behind a descriptor whose device and inode it names")
    func stream() throws {
        var info = stat()
        try #require(unsafe fstat(2, &info) == 0)
        #expect(JournalSocket.isBehind(2, stream: "\(info.st_dev):\(info.st_ino)"))
        #expect(!JournalSocket.isBehind(2, stream: "\(info.st_dev):\(info.st_ino + 1)"))
        #expect(!JournalSocket.isBehind(2, stream: nil))
        #expect(!JournalSocket.isBehind(-1, stream: "0:0"))
    }
}
