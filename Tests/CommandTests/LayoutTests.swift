import JSON
import Testing

@testable import contactsync

@Suite struct LayoutTests {
    @Test("what would steer the terminal or turn text around is escaped")
    func escaping() {
        #expect(
            Escaping.escaped("a\u{1B}[2Jb\u{9B}c\nd\u{202E}e\u{2067}f")
                == "a\\u{1B}[2Jb\\u{9B}c\\u{A}d\\u{202E}e\\u{2067}f"
        )
        #expect(Escaping.escaped("Zoë 田中 עמית 👩‍👧") == "Zoë 田中 עמית 👩‍👧")
        #expect(Escaping.escaped("a\nb", keepingLines: true) == "a\nb")
        #expect(Escaping.escaped("a\r\nb") == "a\\u{D}\\u{A}b")
    }

    @Test(
        "width is counted in columns of the terminal",
        arguments: [
            ("Ana", 3), ("田中", 4), ("Zoe\u{308}", 3), ("👩‍👧", 2), ("ｱ", 1), ("한", 2), ("", 0), ("❤️", 2),
        ]
    )
    func width(text: String, columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
    }

    @Test("columns line up, numbers to the right, and only limited ones are cut")
    func table() {
        var page = Page()
        page.table(
            [.short("NAME", 6), .number("N"), .text("UID")],
            [["田中太郎", "7", "u1"], ["Ana", "12", "a very long uid"]]
        )
        #expect(page.text == "NAME    N  UID\n田中…   7  u1\nAna    12  a very long uid\n")
    }

    @Test("an empty table is nothing")
    func emptyTable() {
        var page = Page()
        page.table([.text("A")], [])
        #expect(page.text.isEmpty)
    }

    @Test("times and durations are short")
    func moments() {
        #expect(Moment.shown("2026-03-01T09:30:05.123Z") == "2026-03-01 09:30:05 UTC")
        #expect(Moment.shown("soon") == "soon")
        #expect(Moment.duration(0) == "0 s")
        #expect(Moment.duration(61) == "1 min 1 s")
        #expect(Moment.duration(3600) == "1 h")
        #expect(Moment.duration(86_400 * 2 + 3700) == "2 d 1 h")
    }

    private static let quiet: JSONValue = [
        "name": "laptop", "version": "0.1.0", "device": "ab", "uptime": 61, "inSync": true, "listening": 8749,
        "books": [
            [
                "name": "personal", "directory": "/c", "state": "idle", "contacts": 2, "files": 2,
                "merged": 0,
                "conflicts": 0, "setAside": [], "clashes": [],
            ]
        ],
        "peers": [
            ["name": "desktop", "state": "connected", "session": "s", "books": ["personal": ["toSend": 3]]]
        ],
    ]

    /// The quiet status with one member of its book or of itself replaced.
    private func status(book key: String, _ value: JSONValue) -> JSONValue {
        var book = Self.quiet.list("books")[0].object ?? JSONObject()
        book[key] = value
        return status("books", [.object(book)])
    }

    private func status(_ key: String, _ value: JSONValue) -> JSONValue {
        var status = Self.quiet.object ?? JSONObject()
        status[key] = value
        return .object(status)
    }

    @Test("the status is yes only if nothing is open")
    func judge() {
        #expect(StatusPage.judge(Self.quiet) == .done)
        #expect(StatusPage.judge(status("inSync", false)) == .no)
        #expect(StatusPage.judge(status(book: "state", "scanning")) == .no)
        #expect(StatusPage.judge(status(book: "conflicts", 1)) == .no)
        #expect(StatusPage.judge(status(book: "setAside", [["file": "x.json"]])) == .no)
        #expect(StatusPage.judge(status(book: "held", ["reason": "many"])) == .no)
        #expect(StatusPage.judge(status("failure", "disk full")) == .no)
        #expect(StatusPage.judge(status(book: "clashes", [["uid": "u", "files": ["a", "b"]]])) == .done)
        var alone = status("peers", []).object ?? JSONObject()
        alone["inSync"] = false
        #expect(StatusPage.judge(.object(alone)) == .done)
    }

    @Test("the status says what needs a person, and the command for it")
    func statusText() {
        var page = Page()
        StatusPage.show(
            status(
                book: "held",
                [
                    "reason": "too many", "since": "2026-01-01T00:00:00.000Z",
                    "from": "desktop",
                    "deletions": [["uid": "u", "name": "Ana\u{1B}"]],
                ]
            ),
            &page
        )
        #expect(
            page.text.hasPrefix(
                "laptop  in sync  1 thing needs you  0.1.0  up 1 min 1 s  port 8749\n\nHELD  "
            )
        )
        #expect(
            page.text.contains(
                "personal since 2026-01-01 00:00:00 UTC: desktop deletes 1 contact; nothing is deleted until you decide\n  Ana\\u{1B}\n"
            )
        )
        #expect(page.text.contains("  $ contactsync resume personal --delete    delete"))
        #expect(page.text.contains("  $ contactsync resume personal --restore   keep"))
        #expect(page.text.contains("desktop  connected        3           ?  s\n"))
    }

    @Test("no answer, however wrong, stops the layout", arguments: Command.all.map(\.name))
    func anyShape(name: String) {
        let wrong: [JSONValue] = [
            .null, 1, "x", [], [:], [1, .null, "x"], ["phones": 1, "books": [1], "card": [], "differ": [1]],
        ]
        for value in wrong {
            var page = Page()
            if case .ask(let show, let judge) = Command.named(name)?.action {
                show(value, &page)
                _ = judge(value)
            }
            StatusPage.show(value, &page)
        }
    }

    @Test("a person is shown with all that its card says")
    func person() {
        var page = Page()
        Persons.detail(
            [
                "uid": "u", "uids": ["u", "v"], "name": .null, "kind": "individual", "file": "a.json",
                "phones": [["number": "030 1", "key": "+49301"], ["number": "x", "key": .null]],
                "card": ["name": [:], "emails": ["e": ["address": "a@b"]], "example.com:x": [1]],
            ],
            &page
        )
        #expect(
            page.text == """
                (no name)
                  phone          030 1  (+49301)
                  phone          x  (not a valid number here)
                  email          a@b
                  example.com:x  [1]
                  file           a.json
                  uid            u
                  made of        u, v

                """
        )
    }
}
