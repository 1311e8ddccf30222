import JSON
import Testing
import Wire

@Suite("The socket")
struct SocketTests {
    @Test("a request is read as it was written")
    func request() throws {
        let ids: [RequestID?] = [nil, .null, .number("1"), .number("1.50"), .text("x")]
        for id in ids {
            var params = JSONObject()
            params["book"] = "a"
            let request = Request(id: id, method: "list", params: params)
            #expect(try Request.decode(request.json) == request)
            #expect(request.line.last == UInt8(ascii: "\n"))
        }
        let bare = try Request.decode(["jsonrpc": "2.0", "method": "status"])
        #expect(bare.id == nil && bare.params.isEmpty)
    }

    @Test("what is no request is answered as the specification says")
    func flaws() {
        func flaw(_ value: JSONValue) -> Request.Flaw? {
            do {
                _ = try Request.decode(value)
                return nil
            } catch { return error }
        }
        let cases: [(JSONValue, Int, RequestID)] = [
            ([], -32600, .null), ([["jsonrpc": "2.0", "method": "x", "id": 1]], -32600, .null),
            (1, -32600, .null), ([:], -32600, .null), (["jsonrpc": "1.0", "id": 3], -32600, .number("3")),
            (["jsonrpc": "2.0", "id": "a"], -32600, .text("a")),
            (["jsonrpc": "2.0", "id": true, "method": "x"], -32600, .null),
            (["jsonrpc": "2.0", "id": 1, "method": 5], -32600, .number("1")),
            (["jsonrpc": "2.0", "id": 1, "method": "x", "params": [1]], -32602, .number("1")),
        ]
        for (value, code, id) in cases {
            #expect(flaw(value)?.error.code == code && flaw(value)?.id == id, "\(JSONWriter.text(value))")
        }
        #expect(RPCError.parse("x").code == -32700 && RPCError.unknownMethod("x").code == -32601)
    }

    @Test("a reply is read as it was written, an error with its exit code")
    func reply() {
        let replies = [
            Reply(id: .number("1"), result: .null), Reply(id: .text("x"), result: ["a": [1]]),
            Reply(id: .null, error: .refused("held")), Reply(id: .null, error: .no("not found")),
        ]
        for reply in replies { #expect(Reply.decode(reply.json) == reply) }
        #expect(replies[2].json.object?["error"]?.object?["data"]?.object?["exit"]?.integer == 4)
        #expect(Reply.decode(Request(id: nil, method: "event").json) == nil)
    }

    @Test("lines come out whole, whatever the pieces")
    func lines() throws {
        let bytes = Array("one\r\n\n\ntwo\nthree".utf8)
        for size in 1...bytes.count {
            var decoder = LineDecoder()
            var lines: [String] = []
            for at in stride(from: 0, to: bytes.count, by: size) {
                decoder.feed(bytes[at..<min(at + size, bytes.count)])
                while let line = try decoder.next() { lines.append(String(decoding: line, as: UTF8.self)) }
            }
            #expect(lines == ["one", "two"])
        }
    }

    @Test("a line is taken up to its limit, not beyond, with its end or without")
    func lineLimit() throws {
        func line(_ count: Int, _ end: String) throws -> Int? {
            var decoder = LineDecoder(limit: 10)
            decoder.feed(Array(String(repeating: "x", count: count).utf8) + Array(end.utf8))
            return try decoder.next()?.count
        }
        for end in ["\n", "\r\n"] {
            #expect(try line(9, end) == 9)
            #expect(try line(10, end) == 10)
            #expect(throws: LineDecoder.TooLong.self) { try line(11, end) }
        }
        #expect(try line(11, "") == nil)
        #expect(throws: LineDecoder.TooLong.self) { try line(12, "") }
    }

    @Test("the daemon's own limit of a line", arguments: [-1, 0, 1])
    func longestLine(beyond: Int) throws {
        let count = WireLimits.lineBytes + beyond
        var decoder = LineDecoder()
        decoder.feed([UInt8](repeating: UInt8(ascii: "x"), count: count) + [UInt8(ascii: "\n")])
        guard beyond <= 0 else {
            #expect(throws: LineDecoder.TooLong.self) { _ = try decoder.next() }
            return
        }
        #expect(try decoder.next()?.count == count)
    }
}
