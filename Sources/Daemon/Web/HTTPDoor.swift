import EventLoop
import HTTP

/// A server on our loop: it runs when its descriptor has something, or its time has come.
final class HTTPDoor {
    private let loop: EventLoop
    private let server: HTTPServer
    private var watch: DescriptorWatch?
    private var timer: LoopTimer?

    /// - Parameter handle: answers a request; called on the loop.
    init(
        _ loop: EventLoop,
        host: String,
        port: UInt16,
        handle: @escaping (HTTPRequest) -> HTTPResponse
    ) throws(HTTPError) {
        self.loop = loop
        server = try HTTPServer(host: host, port: port) { request in
            guard ["GET", "HEAD"].contains(request.method) else {
                return .plain("this is for reading only\n", status: 405, [("Allow", "GET, HEAD")])
            }
            return handle(request)
        }
        watch = loop.watch(descriptor: server.descriptor) { [weak self] in self?.run() }
    }

    var port: UInt16 { server.port }

    func close() {
        timer?.cancel()
        watch?.close()
        server.close()
    }

    private func run() {
        server.run()
        timer?.cancel()
        timer = server.timeout.map { wait in loop.after(wait) { [weak self] in self?.run() } }
    }

    /// Whether a client means this machine: another name that leads here is a page of somebody else that made a
    /// browser ask (DNS rebinding).
    static func isLocal(_ request: HTTPRequest) -> Bool {
        guard let host = request.host?.lowercased() else { return false }
        return ["127.0.0.1", "localhost", "[::1]"].contains { name in
            guard host.hasPrefix(name) else { return false }
            let rest = host.dropFirst(name.count)
            return rest.isEmpty || rest.first == ":" && rest.dropFirst().allSatisfy(\.isNumber)
        }
    }
}

extension HTTPResponse {
    /// A text for programs, or a sentence that says what is wrong.
    static func plain(
        _ text: String,
        status: UInt32 = 200,
        type: String = "text/plain; charset=utf-8",
        _ more: [(name: String, value: String)] = []
    ) -> HTTPResponse {
        HTTPResponse(
            status: status,
            text: text,
            headers: [
                ("Content-Type", type), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
            ] + more
        )
    }
}
