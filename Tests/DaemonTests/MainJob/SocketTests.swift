import Foundation
import JSON
import Testing

/// The daemon's socket, as scripts see it.
@Suite("The socket")
struct SocketTests {
    @Test("Only its owner may open the socket, and it is gone after a stop")
    func mode() throws {
        try World.with(["A"]) { _, machines in
            #expect(Machine.mode(of: machines[0].socket) == 0o600)
            try machines[0].stop()
            #expect(Machine.mode(of: machines[0].socket) == nil)
        }
    }

    @Test("A raw client, the command line and socat get the same answers")
    func sameAnswers() throws {
        try World.with(["A"]) { world, machines in
            let a = machines[0]
            for index in 1...3 { try a.put(SampleCard(index).text, as: "\(index).json") }
            try a.expectCount(3, "all are read")
            try a.settle()
            let raw = try a.ask("list", ["book": .string(Machine.book)])
            let printed = try a.must("list", Machine.book, "--json").json
            #expect(printed.map { raw.difference(to: $0) } == .some(nil))

            guard let socat = Executables.tool("socat") else { return }
            let request = #"{"jsonrpc":"2.0","id":1,"method":"list","params":{"book":"personal"}}"#
            let shell = try Child(
                "/bin/sh",
                ["-c", "printf '%s\\n' \"$0\" | \(socat) -t 5 - UNIX-CONNECT:\(a.socket)", request],
                environment: a.environment(forDaemon: false),
                directory: world.root,
                output: world.root + "/socat",
                errors: world.root + "/socat-errors"
            )
            #expect(shell.wait(Patience.answer) == 0)
            let text = try String(contentsOfFile: world.root + "/socat", encoding: .utf8)
            let answer = try parsed(String(text.split(separator: "\n").first ?? ""))
            #expect(answer["result"].map { raw.difference(to: $0) } == .some(nil))
        }
    }

    @Test("A line that is no request is answered with an error, and the connection goes on")
    func malformedLines() throws {
        try World.with(["A"]) { _, machines in
            let client = try LineClient(path: machines[0].socket)
            let lines: [(line: [UInt8], code: Int64?)] = [
                (Array("{".utf8), -32700), (Array("hello".utf8), -32700), ([0xFF, 0xFE, 0x7B, 0x7D], -32700),
                (Array(#"{"jsonrpc":"2.0","id":1}"#.utf8), -32600),
                (Array(#"{"jsonrpc":"2.0","id":1,"method":7}"#.utf8), -32600), (Array("[]".utf8), nil),
                (Array(#"{"jsonrpc":"2.0","id":2,"method":"no-such"}"#.utf8), -32601),
                (Array(#"{"jsonrpc":"2.0","id":3,"method":"list","params":{}}"#.utf8), nil),
                (Array(#"{"jsonrpc":"2.0","id":4,"method":"list","params":{"book":"no-such"}}"#.utf8), nil),
                (Array(#"{"jsonrpc":"2.0","id":5,"method":"list","params":{"book":5}}"#.utf8), nil),
                (Array((String(repeating: "[", count: 10_000)).utf8), -32700),
            ]
            for (line, code) in lines {
                client.send(bytes: line + [UInt8(ascii: "\n")])
                let shown = String(decoding: line.prefix(60), as: UTF8.self)
                guard let text = client.line(within: 5) else { throw Failure("no answer to \(shown)") }
                let error = try parsed(text)["error"]
                #expect(error?["message"]?.string?.isEmpty == false, "\(shown) → \(text)")
                if let code { #expect(error?["code"]?.integer == code, "\(shown) → \(text)") }
            }
            #expect(try client.ask("status", [:])["name"]?.string == "A")
        }
    }

    @Test("A request in pieces is answered; requests in one piece are answered each")
    func pieces() throws {
        try World.with(["A"]) { _, machines in
            let client = try LineClient(path: machines[0].socket)
            let request = #"{"jsonrpc":"2.0","id":1,"method":"status","params":{}}"#
            for byte in request.utf8 { client.send(bytes: [byte]) }
            client.send(
                request.replacing(#""id":1"#, with: #""id":"two""#).replacing("{\"json", with: "\n{\"json")
            )
            let ids = try (0..<2).map { _ in try parsed(client.line() ?? "")["id"] }
            #expect(ids == [1, "two"])
        }
    }

    @Test("A second daemon on the same state is refused with a sentence; the first goes on")
    func secondInstance() throws {
        try World.with(["A"]) { world, machines in
            let log = world.root + "/second"
            let second = try machines[0].launch(log: log)
            let exit = second.wait(Patience.answer)
            second.signal(SIGKILL)
            #expect(exit != nil && exit != 0)
            let said = try String(contentsOfFile: log, encoding: .utf8)
            #expect(
                said.contains("running") || said.contains("already"),
                "it says: \(said.shortened(to: 300))"
            )
            try machines[0].put(SampleCard(1).text, as: "1.json")
            try machines[0].expectCount(1, "the first goes on")
            #expect(Machine.mode(of: machines[0].socket) == 0o600, "its socket is still there")
        }
    }
}
