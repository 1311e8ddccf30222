import Config
import Glibc
import JSON
import Testing

@testable import contactsync

@Suite struct AskingTests {
    private let surroundings = Surroundings(
        environment: ConfigEnvironment(home: "/nonexistent", hostName: "h", userID: 1)
    )

    /// Runs a command line against one canned answer; gives what was asked and what came of it.
    private func ask(_ words: String..., answer: String) throws -> (JSONValue?, Result<JSONValue, Failure>) {
        let daemon = try FakeDaemon(answers: [answer])
        guard
            case .run(let invocation) = try Invocation.parse(
                ["--config", daemon.directory + "/config.toml"] + words
            )
        else { throw Failure(.usage, "the test must run a command") }
        let result = Result<JSONValue, Failure> { () throws(Failure) -> JSONValue in
            try surroundings.ask(invocation)
        }
        return (daemon.finish().first, result)
    }

    @Test("a command is asked as JSON-RPC 2.0 has it, and its result comes back")
    func request() throws {
        let (asked, result) = try ask(
            "show",
            "personal",
            "Ana",
            "Holm",
            "--sources",
            answer:
                "{\"jsonrpc\":\"2.0\",\"method\":\"note\"}\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"uid\":\"u\"}}\n"
        )
        #expect(
            asked == [
                "jsonrpc": "2.0", "id": 1, "method": "show",
                "params": ["book": "personal", "who": "Ana Holm", "sources": true],
            ]
        )
        #expect(try result.get() == ["uid": "u"])
    }

    @Test("a refusal has the exit code and the sentence of the daemon")
    func refusal() throws {
        let (_, result) = try ask(
            "remove",
            "b",
            "Ana",
            answer:
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"Ana is two.\",\"data\":{\"exit\":4}}}\n"
        )
        #expect(result == .failure(Failure(.refused, "Ana is two.")))
    }

    @Test(
        "an answer that is none is a sentence",
        arguments: ["", "nonsense\n", "{\"id\":1}\n", "{\"id\":1,\"error\":{}}\n"]
    )
    func broken(answer: String) throws {
        let (_, result) = try ask("list", "b", answer: answer)
        #expect(throws: Failure.self) { try result.get() }
    }

    @Test("where no daemon listens the exit code is 3")
    func notRunning() throws {
        let failure = #expect(throws: Failure.self) {
            _ = try DaemonConnection.open(path: "/nonexistent/socket")
        }
        #expect(failure?.exit == .notRunning)
    }

    @Test("a path that no socket can have is a sentence")
    func longPath() throws {
        let failure = #expect(throws: Failure.self) {
            _ = try DaemonConnection.open(path: "/" + String(repeating: "x", count: 107))
        }
        #expect(failure?.exit == .usage)
    }
}
