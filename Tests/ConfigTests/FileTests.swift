import Config
import FoundationEssentials
import Glibc
import Testing

/// A directory of its own, removed at the end.
final class Scratch {
    let path: String

    init() throws {
        var template = Array("/tmp/contactsync-config-XXXXXX\0".utf8CString)
        path = try #require(unsafe mkdtemp(&template).map { unsafe String(cString: $0) })
    }

    deinit {
        for name in ["config.toml", "contactsync/config.toml", "link", "contactsync", "real"]
        where unsafe unlink("\(path)/\(name)") != 0 {
            unsafe rmdir("\(path)/\(name)")
        }
        unsafe rmdir(path)
    }

    func write(_ name: String, _ text: String) throws {
        let descriptor = unsafe open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        #expect(unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
    }
}

@Suite struct FileTests {
    @Test("a file is read from the disk")
    func disk() throws {
        let scratch = try Scratch()
        try scratch.write("config.toml", "name = \"n\"")
        let configuration = try Configuration.read(path: scratch.path + "/config.toml", environment: laptop)
        #expect(configuration.name == "n")
        #expect(configuration.file == scratch.path + "/config.toml")
    }

    @Test("a file of just the limit is read, one byte more is refused")
    func limit() throws {
        let scratch = try Scratch()
        try scratch.write("config.toml", String(repeating: "\n", count: 1 << 20))
        _ = try Configuration.read(path: scratch.path + "/config.toml", environment: laptop)
        try scratch.write("config.toml", String(repeating: "\n", count: 1 << 20 + 1))
        #expect(throws: ConfigErrors.self) {
            try Configuration.read(path: scratch.path + "/config.toml", environment: laptop)
        }
    }

    @Test("a directory in the place of the file is a sentence, not a crash")
    func directory() throws {
        let scratch = try Scratch()
        #expect(throws: ConfigErrors.self) { try Configuration.read(path: scratch.path, environment: laptop) }
    }

    @Test("two books whose directories are one by a link are refused")
    func link() throws {
        let scratch = try Scratch()
        let (real, link) = (scratch.path + "/real", scratch.path + "/link")
        #expect(unsafe mkdir(real, 0o700) == 0)
        #expect(unsafe symlink(real, link) == 0)
        let text = "[books.a]\ndirectory = \"\(real)/new\"\n[books.b]\ndirectory = \"\(link)/new\""
        #expect(complaints(text)?.contains("on one directory") == true)
    }

    @Test("the state directory can be read while the peers are still half written")
    func stateAlone() throws {
        let scratch = try Scratch()
        let path = scratch.path + "/config.toml"
        try scratch.write("config.toml", "state = \"~/s\"\nodd = 1\n[peers.p]\nid = \"?\"")
        #expect(try Configuration.readState(path: path, environment: laptop) == "/home/ana/s")
        try scratch.write("config.toml", "state = \"s\"")
        #expect(throws: ConfigErrors.self) {
            try Configuration.readState(path: path, environment: laptop)
        }
    }

    @Test("the user's own file is found, and one that was asked for goes before it")
    func find() throws {
        let scratch = try Scratch()
        var environment = laptop
        environment.configHome = scratch.path
        #expect(unsafe mkdir(scratch.path + "/contactsync", 0o700) == 0)
        try scratch.write("contactsync/config.toml", "")
        try scratch.write("config.toml", "")
        let own = scratch.path + "/contactsync/config.toml"
        #expect(try Configuration.find(explicit: nil, environment: environment) == own)
        let other = scratch.path + "/config.toml"
        #expect(try Configuration.find(explicit: other, environment: environment) == other)
    }

    @Test("a file that was asked for and is not there is not replaced by another")
    func explicitMissing() throws {
        let scratch = try Scratch()
        let missing = scratch.path + "/none.toml"
        let error = #expect(throws: ConfigErrors.self) {
            try Configuration.find(explicit: missing, environment: laptop)
        }
        #expect(error?.description.hasPrefix(missing) == true)
    }

    @Test("the sample that is shown to whoever has no file is right")
    func sample() throws {
        #expect(try read(Configuration.sample).books.first?.directory == "/home/ana/Contacts")
        let uncommented = Configuration.sample
            .replacing("# ", with: "").replacing("what `contactsync id` prints there", with: idA)
        #expect(try read(uncommented).peers.first?.books == ["personal"])
    }

    @Test("the sample that is installed is right, and so are all of its keys")
    func installedSample() throws {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let file = "/" + root + "/config/contactsync.toml"
        let asItIs = try Configuration.read(path: file, environment: laptop)
        #expect(asItIs.books == [.init(name: "personal", directory: "/home/ana/Contacts", region: "DE")])
        // A key that is commented out has no blank behind its `#`; sentences have one.
        let lines = try text(of: file).split(separator: "\n").map { line in
            line.hasPrefix("#") && !line.hasPrefix("# ") ? line.dropFirst() : line
        }
        let full = try read(lines.joined(separator: "\n"))
        #expect(full.books == asItIs.books, "a key that is shown as a default is not the default")
        #expect(full.listen == asItIs.listen && full.state == asItIs.state && full.socket == asItIs.socket)
        #expect(full.peers.map(\.books) == [["personal"]])
    }

    @Test("the sample that is installed shows every key, and the table has every key that is read")
    func keys() throws {
        let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let sample = try text(of: root + "/config/contactsync.toml").split(separator: "\n")
        for (heading, keys) in ConfigKey.tables {
            for key in keys {
                #expect(
                    sample.contains { $0.drop { $0 == "#" }.hasPrefix("\(key.name) = ") },
                    "\(key.name) of \(heading) is not in the sample"
                )
            }
        }
        let known = Set(ConfigKey.tables.flatMap { $0.keys.map(\.name) } + ["books", "peers", "hooks"])
        var read: Set<String> = []
        let sources = try FileManager.default.contentsOfDirectory(atPath: root + "/Sources/Config")
        for name in sources where name.hasPrefix("ConfigurationReader") {
            let code = try text(of: root + "/Sources/Config/" + name)
            for call in ["take(\"", "text(\"", "integer(\"", "tables(\"", "path(\"", "size(\"", "place(\""] {
                // What stands between the quotes after each of these.
                for part in code.replacing(call, with: "\u{0}").split(separator: "\u{0}").dropFirst() {
                    read.insert(String(part.prefix { $0 != "\"" }))
                }
            }
        }
        #expect(read == known)
    }

    private func text(of file: String) throws -> String {
        let descriptor = unsafe open(file, O_RDONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = unsafe Glibc.read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
