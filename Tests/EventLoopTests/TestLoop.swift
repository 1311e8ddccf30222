import EventLoop
import Glibc
import Testing

/// Runs a loop until the body calls `stop`; fails and ends after `deadline` milliseconds.
func withLoop(deadline: UInt64 = 20_000, _ body: (EventLoop) throws -> Void) throws {
    let loop = try EventLoop()
    loop.after(deadline) {
        Issue.record("nothing stopped the loop within \(deadline) ms")
        loop.stop()
    }
    try body(loop)
    loop.run()
}

/// A new directory, gone after the body.
func withDirectory(_ body: (String) throws -> Void) throws {
    var template = Array("/tmp/contactsync-test-XXXXXX".utf8CString)
    let made = unsafe mkdtemp(&template)
    try #require(unsafe made != nil)
    let path = template.dropLast().map { UInt8(bitPattern: $0) }
    let directory = String(decoding: path, as: UTF8.self)
    defer { _ = unsafe rmdir(directory) }
    try body(directory)
}

/// Both ends of a new TCP connection, not started.
func connectPair(_ loop: EventLoop, _ body: @escaping (_ client: Stream, _ server: Stream) -> Void) throws {
    var client: Stream?
    var server: Stream?
    func go() {
        guard let client, let server else { return }
        body(client, server)
    }
    var listener: Listener?
    listener = try loop.listen(host: "127.0.0.1", port: 0) { stream in
        server = stream
        listener?.close()
        listener = nil
        go()
    }
    let port = try #require(listener).port
    loop.connect(host: "127.0.0.1", port: port) { result in
        do {
            client = try result.get()
            go()
        } catch {
            Issue.record(error)
            loop.stop()
        }
    }
}
