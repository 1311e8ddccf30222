import Glibc
import TLS
import Testing

/// Two ends of one connection, joined in memory.
final class Pair {
    let client: TLSConnection
    let server: TLSConnection
    private(set) var atClient: [UInt8] = []
    private(set) var atServer: [UInt8] = []

    /// Bytes in one portion.
    private let portion: Int

    init(
        _ client: Identity,
        _ server: Identity,
        clientAccepts: @escaping (String) -> Bool,
        serverAccepts: @escaping (String) -> Bool,
        portion: Int = .max
    ) {
        self.client = TLSConnection(identity: client, role: .client, accepts: clientAccepts)
        self.server = TLSConnection(identity: server, role: .server, accepts: serverAccepts)
        self.portion = portion
    }

    /// Two ends that were made apart.
    init(_ client: TLSConnection, _ server: TLSConnection) {
        self.client = client
        self.server = server
        portion = .max
    }

    /// Both accept each other.
    convenience init(portion: Int = .max) throws {
        let (a, b) = try (Identity.fresh(), Identity.fresh())
        self.init(
            a,
            b,
            clientAccepts: { $0 == b.deviceID },
            serverAccepts: { $0 == a.deviceID },
            portion: portion
        )
    }

    /// Carries bytes in both directions until neither side says anything more.
    func pump() throws {
        while true {
            let up = client.takeOutput()
            let down = server.takeOutput()
            if up.isEmpty, down.isEmpty { return }
            for part in parts(up) { atServer += try server.receive(part) }
            for part in parts(down) { atClient += try client.receive(part) }
        }
    }

    private func parts(_ bytes: [UInt8]) -> [[UInt8]] {
        let size = min(portion, max(1, bytes.count))
        return stride(from: 0, to: bytes.count, by: size).map {
            Array(bytes[$0..<min($0 + size, bytes.count)])
        }
    }
}

extension Identity {
    /// A new identity whose files are gone already.
    static func fresh() throws -> Identity {
        try withDirectory { try Identity.load(directory: $0) }
    }
}

/// A new directory, gone after the body together with the key and the files named.
func withDirectory<Result>(_ body: (String) throws -> Result) throws -> Result {
    var template = Array("/tmp/contactsync-test-XXXXXX".utf8CString)
    let made = unsafe mkdtemp(&template)
    try #require(unsafe made != nil)
    let directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer {
        _ = unsafe unlink(directory + "/key.pem")
        _ = unsafe rmdir(directory)
    }
    return try body(directory)
}
