import Foundation
import Testing

/// What the other tests lean on.
@Suite("The harness")
struct HarnessTests {
    @Test("A proxy counts what passes, refuses while it is cut, and lets through again when restored")
    func proxy() throws {
        let port = try Ports.free()
        let listener = try Socket.listening(port)
        Thread.detachNewThread {
            while let one = listener.accepted() {
                while true {
                    let bytes = one.receive()
                    guard !bytes.isEmpty else { break }
                    one.send(bytes)
                }
            }
        }
        defer { listener.shutDown() }
        let proxy = try Proxy(to: port)
        for round in 1...3 {
            let client = try Socket.loopback(proxy.port)
            client.send(Array("ping".utf8))
            #expect(client.receive() == Array("ping".utf8))
            #expect(proxy.bytes == 8 * round)
            proxy.cut()
            #expect(client.receive() == [], "an open connection ends")
            #expect(throws: Failure.self) { try Socket.loopback(proxy.port) }
            try proxy.restore()
        }
        proxy.cut()
    }

    @Test("A child that is told to end by SIGTERM ends, and its end is seen")
    func signals() throws {
        let child = try Child(
            "/bin/sleep",
            ["60"],
            environment: [:],
            directory: "/",
            output: "/dev/null",
            errors: "/dev/null"
        )
        #expect(child.exit == nil)
        child.signal(SIGTERM)
        #expect(child.wait(5) == 128 + SIGTERM)
    }

    @Test("Every case can be read, and asks for something")
    func cases() throws {
        for id in Case.ids(withClocks: false) + Case.ids(withClocks: true) {
            let given = try Case(id)
            #expect(!given.variants.isEmpty && !given.machines.names.isEmpty)
        }
        #expect(try Case("merge-chain").variants.count == 6)
        #expect(try Case("sync-both-add").machines.names == ["A", "B"])
        #expect(try Case("watch-touch").machines.hasOnlooker)
    }
}
