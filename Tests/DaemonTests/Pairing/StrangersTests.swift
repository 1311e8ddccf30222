import Foundation
import JSON
import TLS
import Testing

/// Who has not logged in gets nothing, and little of our time.
@Suite("Strangers at the door")
struct StrangersTests {
    /// What `openssl s_client` says on a connection to a machine, until it shows a text or ends by itself.
    private static func connect(to machine: Machine, _ arguments: [String], until wanted: String? = nil)
        throws -> String
    {
        let openssl = try #require(Executables.tool("openssl"))
        let output = "\(machine.stage)/\(UUID().uuidString).out"
        let child = try Child(
            openssl,
            ["s_client", "-connect", "127.0.0.1:\(machine.port)", "-ign_eof"] + arguments,
            environment: [:],
            directory: machine.home,
            output: output,
            errors: output
        )
        defer {
            child.signal(SIGKILL)
            _ = child.wait(Patience.stop)
        }
        func said() -> String {
            String(decoding: FileManager.default.contents(atPath: output) ?? Data(), as: UTF8.self)
        }
        try waitUntil("openssl \(arguments) ends, or shows \(wanted ?? "nothing")") {
            child.exit != nil || wanted.map { said().contains($0) } ?? false
        }
        return said()
    }

    private static func certificate(for key: String) throws -> String {
        let openssl = try #require(Executables.tool("openssl"))
        let child = try Child(
            openssl,
            ["req", "-x509", "-new", "-key", key, "-subj", "/CN=x", "-out", key + ".crt"],
            environment: [:],
            directory: "/",
            output: "/dev/null",
            errors: "/dev/null"
        )
        #expect(child.wait(Patience.answer) == 0)
        return key + ".crt"
    }

    private static func refused(at machine: Machine) throws -> [JSONObject] {
        try (machine.status()["refused"]?.array ?? []).compactMap(\.object)
    }

    @Test(
        "openssl is refused without a certificate, with a wrong one, and with TLS 1.2; with a peer's it is greeted"
    )
    func openssl() throws {
        guard Executables.tool("openssl") != nil else { return }
        try World.with { world in
            let (a, b) = try (world.add("A"), world.add("B"))
            try world.connect()
            try a.start()
            let hello = "\"versions\""
            let none = try Self.connect(to: a, ["-tls1_3"])
            #expect(none.contains("certificate required") && !none.contains(hello), "\(none)")
            let old = try Self.connect(to: a, ["-tls1_2"])
            #expect(old.contains("alert protocol version") && !old.contains("Server certificate"), "\(old)")
            let wrong = try Identity.load(directory: a.home + "/wrong")
            let wrongKey = a.home + "/wrong/key.pem"
            let stranger = ["-tls1_3", "-key", wrongKey, "-cert", try Self.certificate(for: wrongKey)]
            for count in 1...2 {
                let said = try Self.connect(to: a, stranger)
                #expect(said.contains("bad certificate") && !said.contains(hello), "\(said)")
                let refused = try Self.refused(at: a)
                #expect(refused.count == 1 && refused[0]["device"]?.string == wrong.deviceID)
                #expect(refused[0]["address"] == "127.0.0.1")
                #expect(refused[0]["count"]?.integer == Int64(count))
            }
            // To ask for pairing where nobody waits ends earlier still.
            let pairing = try Self.connect(to: a, stranger + ["-alpn", "contactsync-pairing/1"])
            #expect(pairing.contains("no application protocol"), "\(pairing)")
            #expect(try a.cli("status").out.contains(wrong.deviceID))
            let key = b.state + "/key.pem"
            let right = ["-tls1_3", "-key", key, "-cert", try Self.certificate(for: key)]
            let greeted = try Self.connect(to: a, right, until: hello)
            #expect(greeted.contains(hello), "\(greeted)")
            // The peer itself connects as ever.
            try b.start()
            try world.waitConnected()
            #expect(try Self.refused(at: a).count == 1)
        }
    }

    @Test(
        "One address can hold only so many places, and come only so often; who is connected notices nothing"
    )
    func flood() throws {
        try World.with(["A", "B"]) { _, machines in
            let (a, b) = (machines[0], machines[1])
            let session = try PairingTests.peers(b).first?["session"]
            // Silent ones: 16 at a time, the others are closed at once.
            var open = try (0..<40).map { _ in try Socket.loopback(a.port) }
            try waitUntil("those above the limit are closed") {
                open.count { $0.isReadable(within: 0) } == 40 - 16
            }
            open = []
            #expect(try a.status()["turnedAway"]?.integer == 40 - 16)
            try a.put(SampleCard(1).text, as: "1.json")
            try b.expectCount(1, "the honest pair goes on")
            #expect(try PairingTests.peers(b).first?["session"] == session)
        }
    }

    @Test("One address comes only so often, and is let in again later")
    func restless() throws {
        try PairingTests.with(["A"]) { _, machines in
            let a = machines[0]
            for _ in 0..<100 { try Socket.loopback(a.port).shutDown() }
            // The last ones may be on their way still.
            try waitUntil("those above the rate are turned away") {
                try a.status()["turnedAway"]?.integer ?? 0 >= 100 - 60 - 20
            }
            try waitUntil("it is let in again") {
                let socket = try Socket.loopback(a.port)
                return !socket.isReadable(within: 0.3)
            }
        }
    }

    @Test("Too many bytes before the login end the connection, at once and not after ten seconds")
    func bytes() throws {
        try PairingTests.with(["A"]) { _, machines in
            let socket = try Socket.loopback(machines[0].port)
            // A greeting of 131,071 bytes (RFC 8446, 4 and 5.1), of which more comes than is taken, and not all.
            let header: [UInt8] = [22, 3, 1, 0x40, 0]
            let start: [UInt8] = [1, 1, 0xFF, 0xFF]
            let rest = [UInt8](repeating: 0, count: 0x4000)
            socket.send(header + start + rest.dropFirst(start.count))
            for _ in 1..<7 { socket.send(header + rest) }
            #expect(socket.isReadable(within: 5))
            #expect(socket.receive().isEmpty)
        }
    }
}
