import TLS
import TestSupport
import Testing

@Suite("A TLS connection")
struct TLSConnectionTests {
    @Test(
        "knows both sides and carries data both ways, in portions of any size",
        arguments: [1, 7, 1_000, .max]
    )
    func roundTrip(portion: Int) throws {
        let pair = try Pair(portion: portion)
        #expect(!pair.client.isEstablished && pair.client.peerDeviceID == nil)
        try pair.client.send(Array("before ".utf8))
        try pair.server.send(Array("hello".utf8))
        try pair.pump()
        #expect(pair.client.isEstablished && pair.server.isEstablished)
        try pair.client.send(Array("after".utf8))
        try pair.client.send([])
        try pair.pump()
        #expect(pair.atServer == Array("before after".utf8))
        #expect(pair.atClient == Array("hello".utf8))
        #expect(!pair.client.isEnded && !pair.server.isEnded)
    }

    @Test("names the peer by its key")
    func names() throws {
        let (a, b) = try (Identity.fresh(), Identity.fresh())
        #expect(a.deviceID != b.deviceID)
        let pair = Pair(a, b, clientAccepts: { _ in true }, serverAccepts: { _ in true })
        try pair.pump()
        #expect(pair.client.peerDeviceID == b.deviceID)
        #expect(pair.server.peerDeviceID == a.deviceID)
        #expect(pair.server.refusedDeviceID == nil)
    }

    @Test("exports the same secret at both ends, another one in another session and for another label")
    func exported() throws {
        let (a, b) = try (Identity.fresh(), Identity.fresh())
        func pair() throws -> Pair {
            let pair = Pair(a, b, clientAccepts: { _ in true }, serverAccepts: { _ in true })
            try pair.pump()
            return pair
        }
        let (one, other) = try (pair(), pair())
        let secret = one.client.exportedSecret(label: "EXPERIMENTAL-a", count: 32)
        #expect(secret.count == 32 && one.server.exportedSecret(label: "EXPERIMENTAL-a", count: 32) == secret)
        #expect(one.client.exportedSecret(label: "EXPERIMENTAL-b", count: 32) != secret)
        #expect(other.client.exportedSecret(label: "EXPERIMENTAL-a", count: 32) != secret)
    }

    @Test(
        "agrees on an application protocol that both speak, before the key is judged; else the handshake ends"
    )
    func applicationProtocol() throws {
        let (a, b) = try (Identity.fresh(), Identity.fresh())
        for (asked, spoken) in [(nil, "x"), ("x", "x"), ("x", "y")] as [(String?, String)] {
            var order: [String] = []
            let client = TLSConnection(identity: a, role: .client, applicationProtocol: asked) { _ in true }
            let server = TLSConnection(
                identity: b,
                role: .server,
                speaks: {
                    order.append($0)
                    return $0 == spoken
                },
                accepts: { _ in
                    order.append("judged")
                    return true
                }
            )
            let pair = Pair(client, server)
            if asked == nil || asked == spoken {
                try pair.pump()
                #expect(client.applicationProtocol == asked && server.applicationProtocol == asked)
                #expect(order == (asked.map { [$0] } ?? []) + ["judged"])
            } else {
                #expect(throws: TLSError.self) { try pair.pump() }
                #expect(order == ["x"] && !server.isEstablished)
            }
        }
    }

    @Test("carries ten megabytes unchanged")
    func large() throws {
        let pair = try Pair(portion: 65_536)
        try pair.pump()
        var random = SeededGenerator(seed: 1)
        let data = (0..<10_000_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        try pair.client.send(data)
        try pair.server.send(data)
        try pair.pump()
        #expect(pair.atServer == data)
        #expect(pair.atClient == data)
    }

    @Test("is silent when idle: no tickets, nothing after the handshake")
    func silent() throws {
        let pair = try Pair()
        try pair.pump()
        #expect(pair.server.takeOutput().isEmpty && pair.client.takeOutput().isEmpty)
    }

    @Test("of an unlisted client fails at the server before any data, and the client is told")
    func unlistedClient() throws {
        let (a, b) = try (Identity.fresh(), Identity.fresh())
        let pair = Pair(a, b, clientAccepts: { _ in true }, serverAccepts: { _ in false })
        try pair.client.send(Array("secret".utf8))
        let error = #expect(throws: TLSError.self) { try pair.pump() }
        #expect(error?.reason == "the device \(a.deviceID) is not listed")
        #expect(pair.server.refusedDeviceID == a.deviceID)
        #expect(pair.server.peerDeviceID == nil && !pair.server.isEstablished)
        #expect(pair.atServer.isEmpty)
        #expect(throws: TLSError.self) { try pair.server.send([1]) }
        #expect(throws: TLSError.self) { try pair.server.receive([]) }
        // The alert is in the output of the call that threw.
        #expect(throws: TLSError.self) { try pair.client.receive(pair.server.takeOutput()) }
    }

    @Test("of an unlisted server fails at the client, which then shows nothing of itself")
    func unlistedServer() throws {
        let (a, b) = try (Identity.fresh(), Identity.fresh())
        var judged: [String] = []
        let pair = Pair(
            a,
            b,
            clientAccepts: { _ in false },
            serverAccepts: {
                judged.append($0)
                return true
            }
        )
        #expect(throws: TLSError.self) { try pair.pump() }
        #expect(pair.client.refusedDeviceID == b.deviceID)
        #expect(throws: TLSError.self) { try pair.server.receive(pair.client.takeOutput()) }
        #expect(judged.isEmpty)
    }

    @Test("with itself is for the caller to refuse")
    func itself() throws {
        let a = try Identity.fresh()
        let pair = Pair(a, a, clientAccepts: { $0 != a.deviceID }, serverAccepts: { $0 != a.deviceID })
        #expect(throws: TLSError.self) { try pair.pump() }
    }

    @Test("is refused to a client that only speaks TLS 1.2")
    func oldVersion() throws {
        let extensions: [UInt8] = [
            0, 10, 0, 4, 0, 2, 0, 29,  // groups: x25519
            0, 13, 0, 4, 0, 2, 4, 3,  // signatures: ecdsa_secp256r1_sha256
        ]
        let body =
            [3, 3] + [UInt8](repeating: 9, count: 32) + [0, 0, 2, 0xC0, 0x2B, 1, 0, 0]
            + [UInt8(extensions.count)] + extensions
        let hello: [UInt8] = [0x16, 3, 1, 0, UInt8(body.count + 4), 1, 0, 0, UInt8(body.count)] + body
        let server = try TLSConnection(identity: .fresh(), role: .server) { _ in true }
        let error = #expect(throws: TLSError.self) { try server.receive(hello) }
        #expect(error?.reason.contains("unsupported protocol") == true)
        // A fatal alert, protocol_version (RFC 8446, 6.2).
        #expect(server.takeOutput().suffix(2) == [2, 70])
    }

    @Test("fails on garbage, at the beginning and later")
    func garbage() throws {
        var random = SeededGenerator(seed: 2)
        for role in [TLSConnection.Role.client, .server] {
            let fresh = try TLSConnection(identity: .fresh(), role: role) { _ in true }
            let noise = [0xFF] + (0..<100).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            #expect(throws: TLSError.self) { _ = try fresh.receive(noise) }
        }
        let pair = try Pair()
        try pair.pump()
        try pair.client.send(Array("data".utf8))
        var cipher = pair.client.takeOutput()
        cipher[cipher.count - 1] ^= 1
        #expect(throws: TLSError.self) { try pair.server.receive(cipher) }
    }

    @Test("of any handshake with one changed byte never delivers wrong data")
    func changedBytes() throws {
        let (a, b) = try (Identity.fresh(), Identity.fresh())
        var random = SeededGenerator(seed: 3)
        for _ in 0..<60 {
            let pair = Pair(
                a,
                b,
                clientAccepts: { $0 == b.deviceID },
                serverAccepts: { $0 == a.deviceID }
            )
            try pair.client.send(Array("data".utf8))
            var atServer: [UInt8] = []
            do throws(TLSError) {
                _ = try pair.server.receive(pair.client.takeOutput())
                var answer = pair.server.takeOutput()
                answer[random.below(answer.count)] ^= UInt8(1 + random.below(255))
                _ = try pair.client.receive(answer)
                atServer = try pair.server.receive(pair.client.takeOutput())
            } catch {
                #expect(!error.reason.isEmpty)
            }
            #expect(atServer.isEmpty || atServer == Array("data".utf8))
        }
    }

    @Test("tells an end from a cut")
    func end() throws {
        let pair = try Pair()
        try pair.pump()
        try pair.client.send(Array("last".utf8))
        pair.client.close()
        pair.client.close()
        #expect(throws: TLSError.self) { try pair.client.send([1]) }
        let cipher = pair.client.takeOutput()
        #expect(try pair.server.receive(Array(cipher.dropLast(3))) == Array("last".utf8))
        #expect(!pair.server.isEnded)
        #expect(try pair.server.receive(Array(cipher.suffix(3))).isEmpty)
        #expect(pair.server.isEnded)
        #expect(try pair.server.receive([1, 2, 3]).isEmpty)
        // The other direction is still open.
        try pair.server.send(Array("reply".utf8))
        try pair.pump()
        #expect(pair.atClient == Array("reply".utf8))
    }

    @Test("that is closed before its handshake ends says so after it, and drops what waited")
    func closeEarly() throws {
        let pair = try Pair()
        try pair.client.send(Array("waits".utf8))
        pair.client.close()
        try pair.pump()
        #expect(pair.server.isEnded)
        #expect(pair.atServer.isEmpty)
    }

    @Test("holds a limited amount of data before the handshake")
    func queueLimit() throws {
        let connection = try TLSConnection(identity: .fresh(), role: .client) { _ in true }
        try connection.send([UInt8](repeating: 0, count: TLSConnection.queueLimit))
        #expect(throws: TLSError.self) { try connection.send([0]) }
    }

    @Test("goes when nobody holds it")
    func letsGo() throws {
        weak var connection: TLSConnection?
        do {
            let pair = try Pair()
            try pair.pump()
            connection = pair.client
        }
        #expect(connection == nil)
    }
}
