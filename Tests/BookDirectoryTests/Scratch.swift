import AddressBook
import BookDirectory
import Glibc
import JSON
import TestSupport

/// A temporary directory with a book and a trash; gone when the test ends.
final class Scratch {
    let root: String
    let hash = HashFunction.test

    var book: String { root + "/book" }

    init() {
        BookFolder.prepareProcess()
        var template = Array("/tmp/book-directory-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            preconditionFailure("a temporary directory can be made")
        }
        root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        mkdir(book, 0o700)
    }

    deinit { removeTree(root) }

    func folder(_ calls: FileCalls = .linux) -> BookFolder { BookFolder(path: book, calls: calls) }

    func trash(_ calls: FileCalls = .linux) -> Trash { Trash(directory: root + "/state/trash", calls: calls) }

    func writer(_ calls: FileCalls = .linux, trashCalls: FileCalls = .linux) -> Writer {
        Writer(folder: folder(calls), identity: nil, trash: trash(trashCalls), hash: hash)
    }

    func hash(_ text: String) -> ContentHash { hash.hash(Array(text.utf8)) }

    /// What somebody else's program does: writes in place.
    func put(_ name: String, _ text: String) {
        let file = openForWriting(name, O_CREAT | O_TRUNC)
        write(file, text)
        close(file)
    }

    /// What somebody else's program does: writes a new file and renames it over.
    func replace(_ name: String, _ text: String) {
        put(".editor", text)
        guard rename(book + "/.editor", book + "/" + name) == 0 else { preconditionFailure("rename works") }
    }

    func openForWriting(_ name: String, _ flags: CInt = 0) -> CInt {
        let file = open(book + "/" + name, O_WRONLY | O_CLOEXEC | flags, 0o644)
        precondition(file >= 0, "the file can be opened")
        return file
    }

    func write(_ file: CInt, _ text: String) {
        let count = BookDirectoryTests.write(file, text, text.utf8.count)
        precondition(count == text.utf8.count, "the file can be written")
    }

    func text(_ name: String) -> String? {
        (try? folder().read(name)).map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// All names in the book's directory, sorted.
    var names: [String] { listing(book) }

    /// The texts in the trash, sorted.
    var trashed: [String] {
        let trash = trash()
        let ids = ((try? trash.list()) ?? []).map(\.id)
        return ids.compactMap { try? trash.read($0) }.map { String(decoding: $0, as: UTF8.self) }.sorted()
    }

    func edit(_ name: String, _ old: String, _ new: String) -> FileWrite {
        FileWrite(name: name, bytes: Array(new.utf8), expected: hash(old))
    }

    func new(_ name: String, _ text: String) -> FileWrite {
        FileWrite(name: name, bytes: Array(text.utf8), expected: nil)
    }
}

func listing(_ path: String) -> [String] {
    guard let stream = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
        let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
}

private func removeTree(_ path: String) {
    for name in listing(path) {
        let inner = path + "/" + name
        if unlink(inner) != 0 { removeTree(inner) }
    }
    rmdir(path)
}
