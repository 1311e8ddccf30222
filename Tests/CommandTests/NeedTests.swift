import Doctor
import JSON
import Testing

@testable import contactsync

@Suite("What needs a person") struct NeedTests {
    private static let time = "2026-03-01T12:00:00.000Z"

    private func status(
        _ members: [(String, JSONValue)] = [],
        book: [(String, JSONValue)] = [],
        peer: [(String, JSONValue)] = []
    )
        -> JSONValue
    {
        func with(_ object: JSONValue, _ members: [(String, JSONValue)]) -> JSONValue {
            var object = object.object ?? JSONObject()
            for (key, value) in members { object[key] = value }
            return .object(object)
        }
        let books = with(["name": "my book", "directory": "/c", "state": "idle"], book)
        let peers = with(
            [
                "name": "desktop", "state": "connected", "address": "d:1", "line": 7,
                "since": .string(Self.time),
                "heard": .string(Self.time),
                "books": ["my book": ["shared": true, "toSend": 0, "toReceive": 0]],
            ],
            peer
        )
        return with(
            [
                "name": "laptop", "device": "aa", "config": "/k.toml", "process": 5, "state": "/s",
                "time": .string(Self.time), "books": [books], "peers": [peers],
            ],
            members
        )
    }

    @Test("where all is well nothing needs a person")
    func nothing() {
        #expect(Needs.of(status()).isEmpty)
    }

    @Test("the most urgent comes first, whatever the order of books and peers")
    func order() {
        let all = Needs.of(
            status(
                [("failure", "disk full")],
                book: [
                    ("conflicts", 1),
                    ("setAside", [["file": "x.json", "line": 2, "column": 3, "reason": "odd"]]),
                    ("clashes", [["uid": "u", "files": ["a", "b"]]]), ("writeFailure", "no"),
                    ("held", ["deletions": [["name": "Ana", "uid": "u"]]]), ("heldBy", "files"),
                ],
                peer: [("state", "offline"), ("lastError", "connection refused"), ("trouble", "unreachable")]
            )
        )
        #expect(
            all.map(\.label) == [
                "stopped", "held", "cannot write", "offline", "broken file", "conflict", "note",
            ]
        )
        for need in all where need.isOpen { #expect(!need.steps.isEmpty, "\(need.label) says what to type") }
    }

    @Test(
        "commands can be typed as they stand: names are quoted, and the configuration that was named is named"
    )
    func commands() {
        let all = Needs.of(
            status(book: [("held", ["reason": "many"]), ("heldBy", "files")]),
            program: "contactsync --config /k.toml"
        )
        #expect(
            all.first?.steps.map(\.command) == [
                "contactsync --config /k.toml resume 'my book' --restore",
                "contactsync --config /k.toml resume 'my book' --delete",
            ]
        )
        #expect(ShellWord.quoted("it's") == "'it'\\''s'")
        #expect(ShellWord.quoted("$(rm)") == "'$(rm)'")
        #expect(ShellWord.quoted("") == "''")
    }

    @Test("a hook that fails and a region without numbers are told, with the line to open")
    func words() {
        let all = Needs.of(
            status(
                [
                    (
                        "hooks",
                        [
                            ["name": "h", "runs": 3, "failures": 2, "lastError": "it exited with 1"],
                            ["name": "i", "runs": 3, "failures": 2, "lastError": .null],
                        ]
                    )
                ],
                book: [("regionUnknown", true)]
            )
        )
        #expect(all.map(\.label) == ["region", "hook"])
        for need in all { #expect(need.steps.map(\.command) == ["${EDITOR:-vi} /k.toml", "kill -HUP 5"]) }
    }

    @Test("where nothing is stored here, no peer is said to be stuck")
    func notTheirFault() {
        let waiting: JSONValue = ["b": ["shared": true, "toSend": 0, "toReceive": 4]]
        let peer: [(String, JSONValue)] = [("heard", "2026-03-01T11:58:00.000Z"), ("books", waiting)]
        #expect(Needs.of(status(peer: peer)).map(\.label) == ["stuck"])
        #expect(Needs.of(status([("shortage", "no room")], peer: peer)).map(\.label) == ["stopped"])
    }

    @Test("a broken file is named with line, column and reason, and opened there")
    func brokenFile() {
        let need = Needs.of(
            status(book: [("setAside", [["file": "x.json", "line": 2, "column": 3, "reason": "odd"]])])
        ).first
        #expect(need?.sentence == "x.json:2:3 in my book: odd")
        #expect(need?.steps.first?.command == "${EDITOR:-vi} +2 /c/x.json")
    }

    @Test(
        "each way to be stuck has its own words and next steps",
        arguments: [
            (["state": "offline", "trouble": "unreachable", "lastError": "connection refused"], "offline"),
            (["state": "offline", "trouble": "silent", "lastError": "no login"], "offline"),
            (["state": "refused", "trouble": "other-key", "lastError": "device bb"], "refused"),
            (["state": "refused", "trouble": "refused-there", "lastError": "no"], "refused"),
            (["state": "offline", "trouble": "ourselves", "lastError": "us"], "wrong address"),
            (["state": "offline", "trouble": "version", "lastError": "2"], "refused"),
            (["state": "offline"], "offline"),
            (["clock": 90_000_000], "clock"),
            (["books": ["b": ["shared": false]]], "not shared"),
            (
                [
                    "heard": "2026-03-01T11:58:00.000Z",
                    "books": ["b": ["shared": true, "toSend": 0, "toReceive": 4]],
                ], "stuck"
            ),
            (["books": ["b": ["shared": true, "toSend": 0, "toReceive": 0, "different": 2]]], "different"),
            (
                ["books": ["b": ["shared": true, "toSend": 0, "toReceive": 0, "refusedThere": 2]]],
                "held there"
            ),
        ] as [(JSONValue, String)]
    )
    func peer(state: JSONValue, label: String) {
        let all = Needs.of(status(peer: (state.object ?? JSONObject()).map { ($0.key, $0.value) }))
        #expect(all.map(\.label) == [label])
        #expect(all.first?.sentence.contains("desktop") == true)
        #expect(all.first?.steps.isEmpty == false)
    }

    @Test("a stranger is told of, but not one that is a peer with another key")
    func strangers() {
        let strangers: (String, JSONValue) = (
            "refused", [["device": "bb", "address": "192.0.2.7", "time": .string(Self.time)]]
        )
        let told = Needs.of(status([strangers]))
        #expect(told.map(\.label) == ["note"] && told.allSatisfy { !$0.isOpen })
        let refused = Needs.of(
            status(
                [strangers],
                peer: [("state", "refused"), ("trouble", "other-key"), ("lastError", "device bb is not")]
            )
        )
        #expect(refused.map(\.label) == ["refused"])
    }

    @Test("seconds between two times")
    func seconds() {
        #expect(Moment.seconds(from: "2024-02-28T23:59:59.000Z", to: "2024-03-01T00:00:00.000Z") == 86_401)
        #expect(Moment.seconds(from: "1970-01-01T00:00:00Z", to: "2026-11-30T12:00:00.000Z") == 1_796_040_000)
        #expect(Moment.seconds(from: "soon", to: Self.time) == nil)
    }

    @Test("work is a bar with how much, how fast and how long")
    func bars() {
        var page = Page()
        WorkBars.show(
            [
                "work": [
                    [
                        "what": "read", "book": "b", "peer": .null, "done": 2500, "total": 10_000,
                        "rate": .number("500.0"),
                    ],
                    ["what": "receive", "book": "b", "peer": "p", "done": 0, "total": 60, "rate": .null],
                    ["what": "send", "done": 5, "total": 0], ["what": 1, "done": 7, "total": 3],
                ]
            ],
            &page
        )
        #expect(
            page.text == """
                reading b  ██████░░░░░░░░░░░░░░░░░░  25 %  2,500 of 10,000 files  500/s, 15 s left
                b from p   ░░░░░░░░░░░░░░░░░░░░░░░░  0 %  0 of 60 records

                """
        )
    }

    @Test(
        "rows of a terminal are counted without looks",
        arguments: [("", 1), ("12345", 1), ("123456", 2), ("\u{1B}[31m12345\u{1B}[0m", 1), ("田田田", 2)]
    )
    func rows(line: String, rows: Int) {
        #expect(Screen.rows(of: line, columns: 5) == rows)
    }

    @Test("looks stand around words only where they are wanted")
    func looks() {
        var (plain, coloured) = (Page(), Page(isColoured: true))
        plain.line(pieces: [.bad("a\u{1B}"), "b"])
        coloured.line(pieces: [.bad("a\u{1B}"), "b"])
        #expect(plain.text == "a\\u{1B}b\n")
        #expect(coloured.text == "\u{1B}[1;31ma\\u{1B}\u{1B}[0mb\n")
    }
}
