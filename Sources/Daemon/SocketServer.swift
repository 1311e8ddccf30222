import EventLoop
import JSON
import Wire

/// The Unix socket: one JSON-RPC 2.0 object a line, for the same user only.
final class SocketServer {
    /// Answers a request, now or later, once.
    typealias Answer = (Result<JSONValue, RPCError>) -> Void

    private let loop: EventLoop
    private let userID: UInt32
    private let handle: (Request, Connection, @escaping Answer) -> Void
    private var listener: Listener?
    private var connections: [ObjectIdentifier: Connection] = [:]

    /// Connections at a time; more are closed at once.
    private static let connectionLimit = 256
    /// Answers that nobody reads, in bytes on all connections, before the next one is given up.
    private static let unreadLimit = 256 << 20

    /// - Parameter handle: carries a request out that came by a connection.
    init(
        loop: EventLoop,
        userID: UInt32,
        handle: @escaping (Request, Connection, @escaping Answer) -> Void
    ) {
        self.loop = loop
        self.userID = userID
        self.handle = handle
    }

    func start(path: String) throws(LoopError) {
        listener = try loop.listen(path: path) { [weak self] stream in self?.accept(stream) }
    }

    /// Takes connections from a socket that somebody else opened, and still owns.
    func start(descriptor: Int32) throws(LoopError) {
        listener = try loop.listen(descriptor: descriptor) { [weak self] stream in self?.accept(stream) }
    }

    func close() {
        listener?.close()
        for connection in connections.values {
            connection.endSubscription()
            connection.close()
        }
        connections = [:]
    }

    private func accept(_ stream: Stream) {
        // Root may ask too: it could read the state anyway.
        guard let peer = stream.peerUserID, peer == userID || peer == 0,
            connections.count < Self.connectionLimit
        else { return stream.close() }
        let connection = Connection(stream)
        connections[ObjectIdentifier(connection)] = connection
        stream.onBytes = { [weak self, weak connection] bytes in
            guard let self, let connection else { return }
            receive(bytes, connection)
        }
        stream.onEnd = { [weak self, weak connection] _ in
            guard let self, let connection else { return }
            connection.inputEnded = true
            if connection.open == 0 { drop(connection) } else { connection.endSubscription() }
        }
        stream.start()
    }

    private func receive(_ bytes: [UInt8], _ connection: Connection) {
        connection.decoder.feed(bytes)
        do {
            while let line = try connection.decoder.next() { request(line, connection) }
        } catch {
            connection.write(
                Reply(
                    id: .null,
                    error: .invalidRequest("a line is longer than \(error.limit) bytes; send less at once")
                ).json
            )
            drop(connection)
        }
    }

    private func request(_ line: [UInt8], _ connection: Connection) {
        let request: Request
        do {
            request = try Request.decode(try JSONReader.value(line))
        } catch let flaw as Request.Flaw {
            return connection.write(Reply(flaw).json)
        } catch let flaw as JSONFlaw {
            return connection.write(
                Reply(
                    id: .null,
                    error: .parse("column \(flaw.column): \(flaw.reason); send one JSON object a line")
                ).json
            )
        } catch {
            return connection.write(
                Reply(id: .null, error: .parse("\(error); send one JSON object a line")).json
            )
        }
        connection.open += 1
        handle(request, connection) { [weak self, weak connection] outcome in
            guard let self, let connection else { return }
            connection.open -= 1
            let unread = connections.values.reduce(0) { $0 + $1.stream.pendingBytes }
            if let id = request.id { connection.write(Reply(id: id, outcome: outcome).json) }
            if unread > Self.unreadLimit
                || connection.inputEnded && connection.open == 0
            {
                drop(connection)
            }
        }
    }

    private func drop(_ connection: Connection) {
        connection.endSubscription()
        connection.stream.closeAfterWrites()
        connections[ObjectIdentifier(connection)] = nil
    }

    /// One open connection.
    final class Connection {
        fileprivate let stream: Stream
        fileprivate var decoder = LineDecoder()
        /// Requests that are not answered yet.
        fileprivate var open = 0
        fileprivate var inputEnded = false
        /// What one request leaves for the next; gone with the connection.
        var kept: AnyObject?
        /// Set by who sends notifications; called once, when nobody will read them any more.
        var onEnd: (() -> Void)?

        fileprivate init(_ stream: Stream) {
            self.stream = stream
        }

        fileprivate func write(_ value: JSONValue) {
            stream.write(JSONWriter.bytes(value) + [UInt8(ascii: "\n")])
        }

        /// Bytes that were sent and not taken yet.
        var pendingBytes: Int { stream.pendingBytes }

        /// Sends what nobody asked for just now; `taken` is called when it has left.
        func notify(_ method: String, _ params: JSONObject, taken: @escaping () -> Void) {
            stream.write(Request(id: nil, method: method, params: params).line) { error in
                if error == nil { taken() }
            }
        }

        fileprivate func endSubscription() {
            onEnd?()
            onEnd = nil
        }

        fileprivate func close() { stream.closeAfterWrites() }
    }
}
