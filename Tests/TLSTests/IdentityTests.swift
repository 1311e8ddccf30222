import Glibc
import TLS
import Testing

@Suite("An identity")
struct IdentityTests {
    @Test("is made once, in private files, and stays the same")
    func stays() throws {
        try withDirectory { parent in
            let outer = parent + "/state"
            let directory = outer + "/keys"
            defer {
                _ = unsafe unlink(directory + "/key.pem")
                _ = unsafe rmdir(directory)
                _ = unsafe rmdir(outer)
            }
            let first = try Identity.load(directory: directory)
            let second = try Identity.load(directory: directory)
            #expect(first.deviceID == second.deviceID)
            #expect(mode(directory) == S_IFDIR | 0o700)
            #expect(mode(outer) == S_IFDIR | 0o700)
            #expect(mode(directory + "/key.pem") == S_IFREG | 0o600)
            #expect(first.deviceID.utf8.count == 64)
            #expect(first.deviceID.allSatisfy { $0.isHexDigit && !$0.isUppercase })
        }
    }

    @Test("has the ID that other tools compute from the key")
    func known() throws {
        // The key of RFC 8410, 10.3; the ID by: openssl pkey -pubout -outform DER | sha256sum
        let pem = """
            -----BEGIN PRIVATE KEY-----
            MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
            -----END PRIVATE KEY-----

            """
        try withDirectory { directory in
            try put(pem, directory)
            #expect(
                try Identity.load(directory: directory).deviceID
                    == "a1e9156054e04fac899ae9f275132cdc07a5dbc4ea2c2ad3a1ffc6e0d253681f"
            )
        }
    }

    @Test(
        "that is broken is an error and left as it is",
        arguments: [
            "", "no key", "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2Vw\n-----END PRIVATE KEY-----\n",
            otherKey, encryptedKey, String(repeating: "x", count: 20_000),
        ]
    )
    func broken(content: String) throws {
        try withDirectory { directory in
            try put(content, directory)
            let error = #expect(throws: TLSError.self) { try Identity.load(directory: directory) }
            #expect(error?.reason.contains(directory + "/key.pem") == true)
            #expect(try get(directory) == content)
        }
    }

    @Test("that others can read is refused")
    func open() throws {
        try withDirectory { directory in
            _ = try Identity.load(directory: directory)
            #expect(unsafe chmod(directory + "/key.pem", 0o640) == 0)
            let error = #expect(throws: TLSError.self) { try Identity.load(directory: directory) }
            #expect(error?.reason.contains("chmod 600") == true)
        }
    }

    @Test("in a place that is no directory is an error")
    func noDirectory() {
        #expect(throws: TLSError.self) { try Identity.load(directory: "/dev/null/state") }
    }

    @Test("made by several at once is one")
    func race() async throws {
        let directory = "/tmp/contactsync-test-\(String(Random.bits64(), radix: 16))"
        defer {
            _ = unsafe unlink(directory + "/key.pem")
            _ = unsafe rmdir(directory)
        }
        let ids = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<16 {
                group.addTask { try Identity.load(directory: directory).deviceID }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
    }
}

@Suite("Hashes and random numbers")
struct HashTests {
    @Test("of SHA-256 are those of FIPS 180-4")
    func sha() {
        func hex(_ text: String) -> String {
            sha256(Array(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        #expect(hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test("that are random differ and have the length asked for")
    func random() {
        #expect(Random.bytes(0).isEmpty)
        #expect(Random.bytes(33).count == 33)
        #expect(Set((0..<100).map { _ in Random.bits64() }).count == 100)
    }
}

private func mode(_ path: String) -> mode_t? {
    var info = stat()
    return unsafe lstat(path, &info) == 0 ? info.st_mode : nil
}

private func put(_ text: String, _ directory: String) throws {
    let file = unsafe Glibc.open(directory + "/key.pem", O_CREAT | O_WRONLY, 0o600)
    try #require(file >= 0)
    defer { close(file) }
    try #require(unsafe write(file, text, text.utf8.count) == text.utf8.count)
}

private func get(_ directory: String) throws -> String {
    let file = unsafe Glibc.open(directory + "/key.pem", O_RDONLY)
    try #require(file >= 0)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe read(file, &bytes, bytes.count)
    return String(decoding: bytes[..<count], as: UTF8.self)
}

private let otherKey = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgWCjNnCBL8uFZ8c08
    wfelJr4yy66xj1jsIbNvtTyGU6ehRANCAASFZyqa6Cswl9yqEAJNUIxEn9Gf+zpR
    pcKRT8M2tmMfeHmTCJZfxLJFnlIl7qgPyBPqmMIZodCTZbuI53aGPFFR
    -----END PRIVATE KEY-----
    """

private let encryptedKey = """
    -----BEGIN ENCRYPTED PRIVATE KEY-----
    MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhOejY6WRKgNwICCAAw
    DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEKxuac+3PxI94Xj/KMoM040EQFhn
    HUHyj62IUEgi+QZJc+l/a/YU42Ab2Y6g0llnATUoAPlb3yzQwsd1Lo/becEIsoDi
    UXU8UKXZppleLHUV8GQ=
    -----END ENCRYPTED PRIVATE KEY-----
    """
