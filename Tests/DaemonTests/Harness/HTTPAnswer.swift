import Foundation

/// What a server of the daemon answers to one request.
struct HTTPAnswer {
    var status: Int
    /// By name in lower case.
    var headers: [String: String]
    var body: String

    /// Asks a port of the loopback, as a client that has one question.
    static func get(
        _ target: String,
        port: UInt16,
        host: String? = nil,
        method: String = "GET",
        more: String = ""
    ) throws -> HTTPAnswer {
        let host = host ?? "127.0.0.1:\(port)"
        let head = "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\(more)\r\n"
        return try read(
            send(Array(head.utf8), port: port, isWhole: method == "GET" ? isWhole : { _ in false })
        )
    }

    /// Whether a whole answer has come: not every server ends the connection then.
    private static func isWhole(_ bytes: [UInt8]) -> Bool {
        guard let answer = try? read(bytes),
            let length = answer.headers["content-length"].flatMap({ Int($0) })
        else { return false }
        return answer.body.utf8.count >= length
    }

    /// Sends bytes as they are, and returns all that comes back.
    static func send(
        _ bytes: [UInt8],
        port: UInt16,
        isWhole: ([UInt8]) -> Bool = { _ in false }
    ) throws -> [UInt8] {
        let socket = try Socket.loopback(port)
        socket.send(bytes)
        var all: [UInt8] = []
        let deadline = Deadline(Patience.answer)
        while !deadline.isOver {
            guard socket.isReadable(within: 0.1) else { continue }
            let more = socket.receive()
            if more.isEmpty { return all }
            all += more
            if isWhole(all) { return all }
        }
        throw Failure("port \(port) did not end its answer")
    }

    private static func read(_ bytes: [UInt8]) throws -> HTTPAnswer {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n") else {
            throw Failure("no HTTP: \(text.shortened(to: 100))")
        }
        let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count > 1, let status = Int(words[1]) else { throw Failure("no HTTP: \(lines[0])") }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] = line[line.index(after: colon)...]
                .trimmingCharacters(in: .whitespaces)
        }
        return HTTPAnswer(status: status, headers: headers, body: String(text[end.upperBound...]))
    }
}
