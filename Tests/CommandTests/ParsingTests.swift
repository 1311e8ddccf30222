import JSON
import Testing

@testable import contactsync

@Suite struct ParsingTests {
    /// Method and parameters of a command line, or the failure.
    private func parse(_ line: String) -> Result<JSONValue, Failure> {
        Result { () throws(Failure) -> JSONValue in
            guard case .run(let it) = try Invocation.parse(line.split(separator: " ").map(String.init)) else {
                return "help"
            }
            return [
                "method": .string(it.command.name), "params": .object(it.parameters), "json": .bool(it.json),
                "config": it.config.map { .string($0) } ?? .null,
            ]
        }
    }

    @Test(
        "words and options become the parameters that the daemon knows",
        arguments: [
            (#"list b"#, #"{"book":"b"}"#),
            (#"lookup +49 30 1234"#, #"{"number":"+49 30 1234"}"#),
            (#"search Ana Holm"#, #"{"text":"Ana Holm"}"#),
            (
                #"add b --name N --phone -5 --email=a=b"#,
                #"{"book":"b","name":"N","phone":"-5","email":"a=b"}"#
            ),
            (#"merge b x y"#, #"{"book":"b","who":["x","y"]}"#),
            (#"merge b x y --preview"#, #"{"book":"b","who":["x","y"],"preview":true}"#),
            (#"distinct b x y"#, #"{"book":"b","who":["x","y"]}"#),
            (#"unmerge b x"#, #"{"book":"b","who":["x"]}"#),
            (#"unmerge b x y z"#, #"{"book":"b","who":["x","y","z"]}"#),
            (#"shared b 030 12 --not"#, #"{"book":"b","number":"030 12","not":true}"#),
            (#"resolve b u name/full A H"#, #"{"book":"b","who":"u","field":"name/full","value":"A H"}"#),
            (#"resume b --delete"#, #"{"book":"b","delete":true}"#),
            (#"sync --timeout 30"#, #"{"timeout":30}"#),
            (#"sync --timeout 0.5"#, #"{"timeout":0.5}"#),
            (#"sync"#, #"{}"#),
            (#"pair"#, #"{}"#), (#"pair h:1"#, #"{"address":"h:1"}"#),
            (#"pair --book a --book=b --read-only"#, #"{"book":["a","b"],"read-only":true}"#),
            (#"unpair Ana's laptop"#, #"{"peer":"Ana's laptop"}"#),
            (#"show b -- --odd name"#, #"{"book":"b","who":"--odd name"}"#),
        ]
    )
    func parameters(line: String, expected: String) throws {
        let parsed = try parse(line).get()
        #expect(parsed.at("method").string == line.split(separator: " ").first.map(String.init))
        #expect(parsed.at("params") == (try JSONReader.value(Array(expected.utf8))))
    }

    @Test(
        "--json and --config may stand anywhere",
        arguments: ["--json --config f list b", "list --config=f b --json"]
    )
    func anywhere(line: String) throws {
        let parsed = try parse(line).get()
        #expect(parsed.at("json") == true && parsed.at("config") == "f")
        #expect(parsed.at("params") == ["book": "b"])
    }

    @Test(
        "a command line that is wrong says why, with exit code 2",
        arguments: [
            "", "lst b", "list", "list b c", "list b --sources", "add b --name N", "add b --phone",
            "merge b x",
            "merge b x y z", "unmerge b", "resume b", "resume b --delete --restore", "sync --timeout soon",
            "sync --timeout -1", "sync --timeout nan", "sync --timeout 1e99", "--sources show b x",
            "status --watch=1",
            "status --watch --watch", "-x",
        ]
    )
    func wrong(line: String) {
        #expect(throws: Failure.self) { try parse(line).get() }
        if case .failure(let failure) = parse(line) { #expect(failure.exit == .usage) }
    }

    @Test("every command has help, and its name once", arguments: Command.all.map(\.name))
    func help(name: String) throws {
        #expect(try parse("\(name) --help").get() == "help")
        #expect(Command.all.count { $0.name == name } == 1)
        #expect(Usage.all.contains("  \(name)"))
    }
}
