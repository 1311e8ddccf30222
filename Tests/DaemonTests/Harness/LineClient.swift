import JSON

/// A client of the daemon's socket: one object a line, each way.
final class LineClient {
    private let socket: Socket
    private var received: [UInt8] = []
    private var lastID = 0

    init(path: String) throws { socket = try Socket.unix(path) }

    /// Sends bytes as they are, a line end after them.
    func send(_ line: String) { socket.send(Array(line.utf8) + [UInt8(ascii: "\n")]) }

    /// Sends bytes as they are.
    func send(bytes: [UInt8]) { socket.send(bytes) }

    /// The next line, or nil if none comes in time or the daemon closed the connection.
    func line(within seconds: Double = Patience.answer) -> String? {
        let deadline = Deadline(seconds)
        while true {
            if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                defer { received.removeFirst(end + 1) }
                return String(decoding: received[..<end], as: UTF8.self)
            }
            guard !deadline.isOver else { return nil }
            guard socket.isReadable(within: 0.05) else { continue }
            let more = socket.receive()
            if more.isEmpty { return nil }
            received += more
        }
    }

    /// Asks and waits for the answer with the same id; lines without it (events) are passed over.
    func ask(_ method: String, _ parameters: JSONValue, within seconds: Double = Patience.answer) throws
        -> JSONValue
    {
        lastID += 1
        let request: JSONValue = [
            "jsonrpc": "2.0", "id": .number(lastID), "method": .string(method), "params": parameters,
        ]
        send(JSONWriter.text(request))
        let deadline = Deadline(seconds)
        while !deadline.isOver {
            guard let text = line(within: seconds) else { break }
            guard let answer = try parsed(text).object else {
                throw Failure("`\(method)`: the answer is no object: \(text.shortened(to: 100))")
            }
            guard answer["id"]?.integer == Int64(lastID) else { continue }
            if let result = answer["result"] { return result }
            let error = answer["error"]?.object
            throw Refusal(
                method: method,
                code: error?["code"]?.integer,
                message: error?["message"]?.string ?? "no message",
                exit: error?["data"]?.object?["exit"]?.integer
            )
        }
        throw Failure("`\(method)` had no answer within \(Int(seconds)) s")
    }
}
