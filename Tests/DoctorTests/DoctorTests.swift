import Config
import FoundationEssentials
import Glibc
import Testing

@testable import Doctor

@Suite("The doctor") struct DoctorTests {
    /// A directory that is gone afterwards, with a configuration whose book and state lie in it.
    private func examine(
        _ lines: [String] = [],
        listen: String = "off",
        _ prepare: (String) throws -> Void = { _ in }
    ) throws -> [Finding] {
        var template = Array("/tmp/contactsync-doctor-XXXXXX\0".utf8CString)
        let root = try #require(unsafe mkdtemp(&template).map { unsafe String(cString: $0) })
        defer { try? FileManager.default.removeItem(atPath: root) }
        for name in ["book", "state"] {
            try FileManager.default.createDirectory(
                atPath: "\(root)/\(name)",
                withIntermediateDirectories: true
            )
            #expect(unsafe chmod("\(root)/\(name)", 0o700) == 0)
        }
        try prepare(root)
        let text =
            """
            listen = "\(listen)"
            state = "\(root)/state"
            [books.personal]
            directory = "\(root)/book"

            """ + lines.joined(separator: "\n")
        let environment = ConfigEnvironment(home: root, hostName: "h", userID: getuid())
        let configuration = try Configuration.read(
            text: Array(text.utf8),
            file: "/k/config.toml",
            environment: environment
        )
        return Doctor.examine(configuration, userID: getuid(), isRegion: { $0 == "DE" }).map { finding in
            Finding(
                finding.level,
                finding.what.replacing(root, with: "ROOT"),
                mend: finding.mend.replacing(root, with: "ROOT")
            )
        }
    }

    private func write(_ text: String, _ path: String, mode: mode_t = 0o600) throws {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, mode)
        try #require(file >= 0)
        defer { _ = close(file) }
        let bytes = Array(text.utf8)
        #expect(unsafe Glibc.write(file, bytes, bytes.count) == bytes.count)
        #expect(fchmod(file, mode) == 0)
    }

    @Test("a machine that is as it should be has no findings")
    func nothing() throws {
        #expect(try examine() == [])
    }

    @Test(
        "a key and a state directory that others may open are found, each with the command that closes them"
    )
    func rights() throws {
        let findings = try examine { root in
            #expect(unsafe chmod(root + "/state", 0o755) == 0)
            try write("no key", root + "/state/key.pem", mode: 0o644)
        }
        #expect(findings.map(\.mend) == ["chmod 700 ROOT/state", "chmod 600 ROOT/state/key.pem"])
        #expect(findings.map(\.level) == [.warning, .error])
    }

    @Test("a file that is no key is named")
    func noKey() throws {
        let findings = try examine { try write("no key", $0 + "/state/key.pem") }
        #expect(findings.count == 1 && findings.first?.what.contains("ROOT/state/key.pem") == true)
    }

    @Test("a broken file is named with line and column, and opened there")
    func brokenFile() throws {
        let findings = try examine { try write("{\"name\":\n }", $0 + "/book/a b.json") }
        #expect(findings.first?.what.hasPrefix("ROOT/book/a b.json:2:2: ") == true)
        #expect(findings.map(\.mend) == ["${EDITOR:-vi} +2 'ROOT/book/a b.json'"])
    }

    @Test("a database that is none is found")
    func damage() throws {
        let findings = try examine {
            try write("this is no database, is it? no.", $0 + "/state/contactsync.db")
        }
        #expect(findings.count == 1 && findings.first?.what.contains("is damaged") == true, "\(findings)")
    }

    @Test("a directory that was there and is missing is found, at a first start it is not")
    func missing() throws {
        #expect(try examine { unsafe rmdir($0 + "/book") } == [])
        let findings = try examine { root in
            unsafe rmdir(root + "/book")
            try write("", root + "/state/contactsync.db")
        }
        #expect(findings.map(\.mend) == ["contactsync resume personal --restore"])
    }

    @Test("a region that is none, and the program of a hook that cannot be run, are found")
    func words() throws {
        #expect(try examine(["region = \"DE\""]) == [])
        let findings = try examine([
            "region = \"XX\"", "[hooks.h]", "command = [\"/no/such\"]",
            "[hooks.j]", "command = [\"/bin/sh\"]",
        ])
        #expect(findings.map(\.mend) == ["${EDITOR:-vi} /k/config.toml", "ls -l /no/such"], "\(findings)")
    }

    @Test("a book whose directory is a file is not to be made")
    func file() throws {
        let findings = try examine { root in
            unsafe rmdir(root + "/book")
            try write("", root + "/book")
        }
        #expect(findings.map(\.mend).contains("${EDITOR:-vi} /k/config.toml"), "\(findings)")
        #expect(!findings.contains { $0.mend.contains("install -d") }, "\(findings)")
    }

    @Test("a port that is taken, a peer that does not listen and an address that nobody knows are found")
    func network() throws {
        let taken = try Taken()
        defer { taken.close() }
        let id = { (digit: String) in
            "id = \"\(String(repeating: digit, count: 64))\"\nbooks = [\"personal\"]"
        }
        let findings = try examine(
            [
                "[peers.a]", id("a"), "address = \"127.0.0.1:\(taken.port)\"",  // listens
                "[peers.b]", id("b"), "address = \"127.0.0.1:1\"",
                "[peers.c]", id("c"), "address = \"nobody.invalid:1\"", "[peers.d]", id("d"),
            ],
            listen: "127.0.0.1:\(taken.port)"
        )
        #expect(
            findings.map(\.mend) == [
                "ss -ltnp 'sport = :\(taken.port)'", "ssh 127.0.0.1 systemctl --user start contactsync",
                "${EDITOR:-vi} +13 /k/config.toml",
            ],
            "\(findings)"
        )
        let apart = try examine(["[peers.d]", "id = \"\(String(repeating: "d", count: 64))\""])
        #expect(apart.count == 2, "no book, and no way: \(apart)")
    }

    @Test("a configuration that cannot be read is a finding for each of its problems, with file and line")
    func configuration() throws {
        let environment = ConfigEnvironment(home: "/h", hostName: "h", userID: 1)
        let errors = #expect(throws: ConfigErrors.self) {
            _ = try Configuration.read(
                text: Array("nmae = \"x\"\nlisten = 3\n".utf8),
                file: "/k.toml",
                environment: environment
            )
        }
        let findings = errors.map { Doctor.findings($0) } ?? []
        #expect(findings.map(\.mend) == ["${EDITOR:-vi} +1 /k.toml", "${EDITOR:-vi} +2 /k.toml"])
        #expect(findings.first?.what.contains("did you mean name?") == true)
    }

    @Test("of the mounts above a path the longest says what file system it is")
    func mounts() {
        let table = """
            22 1 8:1 / / rw - ext4 /dev/sda1 rw
            30 22 0:40 / /home rw shared:1 - nfs4 server:/home rw
            31 30 0:41 / /home/ana/My\\040Disk rw - vfat /dev/sdb1 rw
            """
        let kind = { (path: String) in FileSystem.kind(of: path, in: table)?.name }
        #expect(
            kind("/homeless") == "ext4" && kind("/home/ana") == "nfs4"
                && kind("/home/ana/My Disk/x") == "vfat"
        )
        #expect(FileSystem(name: "nfs4").isNetwork && !FileSystem(name: "vfat").hasModes)
    }
}

/// A port that somebody listens on.
private struct Taken {
    let descriptor: CInt
    let port: UInt16

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(descriptor, pointer, length) | listen(descriptor, 8)
                    | getsockname(descriptor, pointer, &length)
            }
        }
        try #require(code == 0)
        port = UInt16(bigEndian: address.sin_port)
    }

    func close() { _ = Glibc.close(descriptor) }
}
