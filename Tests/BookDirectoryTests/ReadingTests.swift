import AddressBook
import BookDirectory
import Glibc
import Synchronization
import Testing

@Suite struct ReadingTests {
    let scratch = Scratch()

    @Test("only names of contact files are candidates")
    func names() {
        for name in ["a.json", "Ana Holm.json", "#a.json", "4913.json", "ä.json", "a.tmp.json"] {
            #expect(BookFolder.isCandidate(name), "\(name)")
        }
        for name in [
            "", ".json", ".a.json", "a.json~", "4913", "#a.json#", "a.json.part", "a.json.tmp", "a.JSON",
            "json",
        ] {
            #expect(!BookFolder.isCandidate(name), "\(name)")
        }
        for name in [".a", "a~", "4913", "#a#", "a.part", "a.tmp"] {
            #expect(BookFolder.isIgnored(name), "\(name)")
        }
        #expect(!BookFolder.isIgnored("notes.txt"))
    }

    @Test("a listing has files, links, pipes and directories apart, and none of the editors' files")
    func kinds() throws {
        scratch.put("a.json", "1")
        scratch.put("a.json~", "1")
        symlink("nowhere", scratch.book + "/l.json")
        mkfifo(scratch.book + "/p.json", 0o600)
        mkdir(scratch.book + "/d.json", 0o700)
        let listed = try scratch.folder().list()
        let kinds = Dictionary(uniqueKeysWithValues: listed.entries.map { ($0.name, $0.kind) })
        #expect(kinds == ["a.json": .file, "l.json": .link, "p.json": .pipe, "d.json": .directory])
        #expect(listed.unreadableNames.isEmpty)
    }

    @Test("links, pipes and directories are not opened")
    func notOpened() {
        symlink("a.json", scratch.book + "/l.json")
        mkfifo(scratch.book + "/p.json", 0o600)
        mkdir(scratch.book + "/d.json", 0o700)
        for (name, kind) in [("l.json", EntryKind.link), ("p.json", .pipe), ("d.json", .directory)] {
            let error = #expect(throws: ReadError.self) { try scratch.folder().read(name) }
            #expect(error?.reason == .notAFile(kind))
        }
        let error = #expect(throws: ReadError.self) { try scratch.folder().read("none.json") }
        #expect(error?.reason == .missing)
    }

    @Test("names that are no UTF-8 are reported, escaped")
    func unreadableNames() throws {
        let path = Array((scratch.book + "/a").utf8) + [0xFF] + Array(".json".utf8) + [0]
        let foreign = path.map { CChar(bitPattern: $0) }
        _ = unsafe Glibc.mkdir(foreign, 0o700)
        defer { _ = unsafe Glibc.rmdir(foreign) }
        let listed = try scratch.folder().list()
        #expect(listed.entries.isEmpty)
        #expect(listed.unreadableNames == ["a\\xFF.json"])
    }

    @Test("10,000 files are listed, each with its size")
    func manyFiles() throws {
        for i in 0..<10_000 { scratch.put("\(i).json", "\(i)") }
        let listed = try scratch.folder().list()
        #expect(listed.entries.count == 10_000)
        #expect(listed.entries.allSatisfy { Int($0.stamp.size) == $0.name.utf8.count - 5 })
    }

    @Test("a file is read at the limit of size and refused above it")
    func sizes() throws {
        scratch.put("a.json", "")
        truncate(scratch.book + "/a.json", Int(BookFolder.maxFileSize))
        #expect(try scratch.folder().read("a.json").bytes.count == Int(BookFolder.maxFileSize))
        truncate(scratch.book + "/a.json", Int(BookFolder.maxFileSize) + 1)
        let error = #expect(throws: ReadError.self) { try scratch.folder().read("a.json") }
        #expect(error?.reason == .tooLarge(BookFolder.maxFileSize + 1))
    }

    @Test("a file that changes under the reading is read again")
    func changesOnce() throws {
        scratch.put("a.json", "old")
        let steps = Steps()
        let path = scratch.book + "/a.json"
        var calls = FileCalls.linux
        calls.read = { file, offset, count throws(Errno) in
            let bytes = try FileCalls.linux.read(file, offset, count)
            if steps.count("read") == 1 { truncate(path, 2) }
            return bytes
        }
        let read = try scratch.folder(calls).read("a.json")
        #expect(read.bytes == Array("ol".utf8))
        #expect(read.stamp.size == 2)
    }

    @Test("a file that never stops changing is unsteady, not half read")
    func changesAlways() {
        scratch.put("a.json", "old")
        let steps = Steps()
        let path = scratch.book + "/a.json"
        var calls = FileCalls.linux
        calls.read = { file, offset, count throws(Errno) in
            truncate(path, 10 + steps.count("read"))
            return try FileCalls.linux.read(file, offset, count)
        }
        let error = #expect(throws: ReadError.self) { try scratch.folder(calls).read("a.json") }
        #expect(error?.reason == .unsteady)
    }

    @Test("what the machine refuses to read is unreadable, with its reason")
    func refused() {
        scratch.put("a.json", "old")
        var calls = FileCalls.linux
        calls.open = { _, _, _ throws(Errno) in throw Errno(EACCES) }
        let error = #expect(throws: ReadError.self) { try scratch.folder(calls).read("a.json") }
        #expect(error?.reason == .unreadable(EACCES))
        #expect(error?.description == "It cannot be read: Permission denied.")
    }

    @Test("a name is absent only if the machine says so")
    func absence() throws {
        #expect(try scratch.folder().stat("a.json") == nil)
        var calls = FileCalls.linux
        calls.lstat = { _, _ throws(Errno) in throw Errno(EIO) }
        let folder = scratch.folder(calls)
        #expect(throws: DirectoryError.self) { try folder.stat("a.json") }
        #expect(throws: DirectoryError.self) { try BookFolder(path: scratch.root + "/none").stat("a.json") }
    }

    @Test("a directory is known by its place and its marker")
    func identity() throws {
        let folder = scratch.folder()
        let bare = try #require(try folder.identity())
        #expect(bare.marker == nil && bare.markerInode == nil)
        try folder.writeMarker("book 1\n")
        let marked = try #require(try folder.identity())
        #expect(marked.marker == "book 1\n" && marked.markerInode != nil)
        #expect((marked.device, marked.inode) == (bare.device, bare.inode))
        #expect(try folder.list().entries.isEmpty)
        #expect(scratch.names == [".contactsync"])
        rename(scratch.book, scratch.root + "/away")
        #expect(try folder.identity() == nil)
        mkdir(scratch.book, 0o700)
        #expect(try folder.identity()?.marker == nil)
        #expect(try folder.identity()?.inode != bare.inode)
    }

    @Test("a directory is made with those above it, and making it again is no fault")
    func make() throws {
        let folder = BookFolder(path: scratch.root + "/x/y/z")
        #expect(try folder.identity() == nil)
        try folder.make()
        try folder.make()
        #expect(try folder.identity() != nil)
        scratch.put("file", "")
        #expect(throws: DirectoryError.self) { try BookFolder(path: scratch.book + "/file").make() }
        #expect(throws: DirectoryError.self) { try BookFolder(path: scratch.book + "/file/x").make() }
    }

    @Test("a name that would leave the directory is our own fault")
    func escapes() async {
        await #expect(processExitsWith: .failure) { _ = try? BookFolder(path: "/tmp").read("../etc/passwd") }
    }
}
