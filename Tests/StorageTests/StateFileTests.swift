import Glibc
import Testing

@testable import Storage

@Suite struct StateFileTests {
    let scratch: Scratch
    init() throws { scratch = try Scratch() }

    @Test("a file is none, then what was written last, whole, for the owner only")
    func content() throws {
        let file = StateFile("peers.json", in: scratch.directory)
        #expect(try file.read() == nil)
        for content in [[UInt8]("first, and longer".utf8), Array("then".utf8), []] {
            try file.write(content)
            #expect(try file.read() == content)
        }
        var info = stat()
        #expect(unsafe stat(file.path, &info) == 0 && info.st_mode & 0o777 == 0o600)
        #expect(unsafe access(file.path + ".new", F_OK) != 0)
        // As much as it may have, and not one byte more.
        try file.write([UInt8](repeating: 1, count: StateFile.sizeLimit))
        #expect(try file.read()?.count == StateFile.sizeLimit)
        try file.write([UInt8](repeating: 1, count: StateFile.sizeLimit + 1))
        #expect(throws: StorageError.self) { try file.read() }
    }

    @Test("what cannot be written leaves the old content")
    func failure() throws {
        let file = StateFile("peers.json", in: scratch.directory)
        try file.write([1])
        #expect(unsafe mkdir(file.path + ".new", 0o700) == 0)
        #expect(throws: StorageError.self) { try file.write([2]) }
        #expect(try file.read() == [1])
    }
}
