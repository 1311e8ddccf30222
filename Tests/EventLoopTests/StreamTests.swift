import EventLoop
import Glibc
import Testing

@Suite("A stream")
struct StreamTests {
    @Test("carries every byte in order, and then its end")
    func bytes() throws {
        let sent = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var received: [UInt8] = []
        try withLoop { loop in
            try connectPair(loop) { client, server in
                server.onBytes = { received += $0 }
                server.onEnd = { error in
                    #expect(error == nil)
                    server.close()
                    loop.stop()
                }
                server.start()
                var done = 0
                for start in stride(from: 0, to: sent.count, by: 500_000) {
                    client.write(Array(sent[start..<start + 500_000])) { error in
                        #expect(error == nil)
                        done += 1
                    }
                }
                client.write([])
                client.closeAfterWrites()
                client.closeAfterWrites()
            }
        }
        #expect(received == sent)
    }

    @Test("gives the last bytes to the other side although it never read what that sent")
    func closeWithUnreadBytes() throws {
        var received: [UInt8] = []
        try withLoop { loop in
            try connectPair(loop) { client, server in
                client.write([UInt8](repeating: 1, count: 100_000)) { _ in
                    server.write([UInt8](repeating: 2, count: 100_000))
                    server.closeAfterWrites()
                    client.onBytes = { received += $0 }
                    client.onEnd = { error in
                        #expect(error == nil)
                        client.close()
                        loop.stop()
                    }
                    client.start()
                }
            }
        }
        #expect(received.count == 100_000)
    }

    @Test("makes the other side wait while paused, which shows in the pending bytes")
    func pause() throws {
        let size = 20_000_000
        var received = 0
        var pendingAtPause = 0
        try withLoop { loop in
            try connectPair(loop) { client, server in
                server.onBytes = { bytes in
                    let isFirst = received == 0
                    received += bytes.count
                    if isFirst {
                        server.pause()
                        // Long enough for the system's buffers to fill; only their being finite matters.
                        loop.after(50) {
                            pendingAtPause = client.pendingBytes
                            server.resume()
                        }
                    }
                    if received == size { loop.stop() }
                }
                server.start()
                client.write([UInt8](repeating: 7, count: size))
                #expect(client.pendingBytes > 0)
            }
        }
        #expect(received == size)
        #expect(pendingAtPause > 0)
    }

    @Test("may be closed in any of its callbacks, and calls none afterwards")
    func closeInside() throws {
        var calls = 0
        try withLoop { loop in
            try connectPair(loop) { client, server in
                server.onBytes = { _ in
                    calls += 1
                    server.close()
                    server.close()
                    loop.after(20) { loop.stop() }
                }
                server.onEnd = { _ in calls += 100 }
                server.start()
                for _ in 0..<50 { client.write([UInt8](repeating: 0, count: 60_000)) }
            }
        }
        #expect(calls == 1)
    }

    @Test("tells every write what became of it, also after its close")
    func cancelledWrites() throws {
        var names: [String?] = []
        try withLoop { loop in
            try connectPair(loop) { client, server in
                func done(_ error: LoopError?) {
                    names.append(error?.name)
                    if names.count == 2 { loop.stop() }
                }
                client.write([UInt8](repeating: 0, count: 30_000_000), done)
                client.close()
                client.write([1], done)
                #expect(client.pendingBytes == 0)
            }
        }
        #expect(names == ["ECANCELED", "ECANCELED"])
    }

    @Test("reports a reset once, to a reader or to a writer")
    func reset() throws {
        var ends: [String?] = []
        try withLoop { loop in
            try connectPair(loop) { client, server in
                client.onEnd = { ends.append($0?.name) }
                client.start()
                client.write([1]) { _ in
                    // Closing with an unread byte resets the connection.
                    server.close()
                    func flood() {
                        guard ends.isEmpty else {
                            loop.after(20) { loop.stop() }
                            return
                        }
                        client.write([2]) { _ in loop.atEndOfTurn { flood() } }
                    }
                    loop.atEndOfTurn { flood() }
                }
            }
        }
        #expect(ends.count == 1)
    }

    @Test("shows the address of its peer, IPv4 also behind a dual-stack listener, and takes its tuning")
    func addresses() throws {
        try withLoop { loop in
            let listener = try loop.listen(host: "[::]", port: 0) { stream in
                #expect(stream.peerAddress.hasPrefix("127.0.0.1:"))
                stream.tune()
                stream.tune(keepalive: 5)
                #expect(stream.peerUserID == nil)
                loop.stop()
            }
            loop.connect(host: "localhost", port: listener.port) { result in
                if case .success(let stream) = result {
                    #expect(stream.peerAddress.hasSuffix(":\(listener.port)"))
                    stream.close()
                }
            }
            loop.connect(host: "127.0.0.1", port: listener.port) { _ in }
        }
    }

    @Test(
        "that cannot be made is one error with a name",
        arguments: [
            ("127.0.0.1", "ECONNREFUSED"), ("name.invalid", "EAI"), ("255.255.255.255", "E"),
        ]
    )
    func refused(host: String, prefix: String) throws {
        try withLoop { loop in
            let listener = try loop.listen(host: "127.0.0.1", port: 0) { _ in }
            listener.close()
            loop.connect(host: host, port: listener.port) { result in
                guard case .failure(let error) = result else {
                    Issue.record("nobody listens there")
                    return loop.stop()
                }
                #expect(error.name.hasPrefix(prefix))
                #expect(error.description.hasPrefix("connect to \(host):\(listener.port): "))
                loop.stop()
            }
        }
    }

    @Test("needs a numeric address to listen on, and a free port")
    func listenErrors() throws {
        let loop = try EventLoop()
        let first = try loop.listen(host: "127.0.0.1", port: 0) { _ in }
        #expect(throws: LoopError.self) { try loop.listen(host: "localhost", port: 0) { _ in } }
        let error = #expect(throws: LoopError.self) {
            try loop.listen(host: "127.0.0.1", port: first.port) { _ in }
        }
        #expect(error?.name == "EADDRINUSE")
        loop.stop()
        loop.run()
    }
}
