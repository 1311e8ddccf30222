import Config
import Testing

@Suite struct ProblemTests {
    @Test("an unknown key is named with its line and the nearest known key")
    func unknownKey() {
        #expect(
            complaints("name = \"a\"\nlisten_ = \"off\"")
                == "c.toml:2:1: unknown key listen_ in the configuration; did you mean listen?"
        )
        #expect(
            complaints(book("regoin = \"DE\""))
                == "c.toml:3:1: unknown key regoin in [books.b]; did you mean region?"
        )
        #expect(
            complaints("[peers.p]\nid = \"\(idA)\"\nadress = \"x\"")
                == "c.toml:3:1: unknown key adress in [peers.p]; did you mean address?"
        )
        #expect(
            complaints("[book.b]\ndirectory = \"/b\"")
                == "c.toml:1:2: unknown key book in the configuration; did you mean books?"
        )
    }

    @Test("a key that stands in the wrong table is told where it belongs")
    func strayKey() {
        #expect(
            complaints(book("metrics-listen = \":9749\""))
                == "c.toml:3:1: unknown key metrics-listen in [books.b]; it belongs above the first [table] of the file"
        )
        #expect(
            complaints("region = \"DE\"")
                == "c.toml:1:1: unknown key region in the configuration; it belongs into a table [books.NAME]"
        )
    }

    @Test("all problems come at once, in the order of the file")
    func allAtOnce() {
        let lines = complaints(
            """
            nam = "x"
            listen = 8749
            [books.b]
            region = "Germany"
            keep-deleted = -1
            [peers.p]
            id = "12"
            books = ["c"]
            """
        )?.split(separator: "\n").map { $0.prefix { $0 != " " } }
        #expect(
            lines == [
                "c.toml:1:1:", "c.toml:2:1:", "c.toml:3:8:", "c.toml:4:1:", "c.toml:5:1:", "c.toml:7:1:",
                "c.toml:8:10:",
            ]
        )
    }

    @Test(
        "a value that is wrong is refused with the way to write it",
        arguments: [
            (book("region = \"DEU\""), "no country code"), (book("region = \"1A\""), "no country code"),
            (book("region = 49"), "must be a text, but is a whole number"),
            (book("deduplicate = \"fone\""), "did you mean \"phone\""),
            (book("deletion-limit = \"101%\""), "write it as \"30%\""),
            (book("deletion-limit = \"30\""), "write it as \"30%\""),
            (book("deletion-limit = 0.3"), "write it as \"30%\""),
            (book("keep-deleted = \"30\""), "number of days"),
            (book("keep-deleted = 36501"), "number of days"),
            (book("rescan-interval = 0"), "number of seconds"),
            ("disk-reserve = \"-1\"", "128 MiB"), ("disk-reserve = true", "128 MiB"),
            (book("trash-limit = \"many\""), "256 MiB"), (book("trash-limit = \"-1\""), "256 MiB"),
            (book("trash-limit = \"9223372036854775807 KiB\""), "256 MiB"),
            ("[books.b]", "has no directory"), ("[books.b]\ndirectory = \"Contacts\"", "not absolute"),
            ("[books.b]\ndirectory = \"~other/Contacts\"", "not absolute"), ("books = 1", "must be tables"),
            ("[books]\nb = 1", "[books.b] must be a table"), ("[peers.p]", "has no id"),
            ("name = \"\"", "is empty"),
            ("name = \"a\\u0007\"", "control character"), ("listen = \"::1:80\"", "brackets"),
            ("listen = \"host:65536\"", "from 0 to 65535"), ("listen = \"host:+1\"", "from 0 to 65535"),
            ("listen = \"[::1\"", "not closed"),
            ("[peers.p]\nid = \"\(idA)\"\naddress = \":1\"", "no host"),
            ("[peers.p]\nid = \"\(idA)\"\naddress = \"h:0\"", "port 0"),
            ("[peers.p]\nid = \"\(idA)\"\nbooks = \"b\"", "list of names"),
            ("[peers.p]\nid = \"\(idA)\"\nbooks = [1]", "must be a text"),
            ("[peers.p]\nid = \"\(idA)0\"", "64 hex digits"),
            ("[peers.p]\nid = \"\(idA)\"\naccess = \"raed\"", "did you mean \"read\""),
            ("metrics-listen = \"0\"", "numeric address"), ("metrics-listen = 1", "must be a text"),
            ("metrics-listen = \"me.lan:1\"", "numeric address"),
            ("web-listen = \"0.0.0.0:80\"", "on this machine alone"),
            ("web-listen = \":x\"", "from 0 to 65535"),
            ("[hooks.h]", "has no command"), ("[hooks.h]\ncommand = \"/bin/x\"", "list of texts"),
            ("[hooks.h]\ncommand = []", "one text or more"),
            ("[hooks.h]\ncommand = [\"x\"]", "begin it with /"),
            ("[hooks.h]\ncommand = [\"/x\", 1]", "one text or more"),
            ("[hooks.h]\ncommand = [\"/x\"]\nevents = [\"add\"]", "did you mean \"added\"?"),
            ("[hooks.h]\ncommand = [\"/x\"]\ntimeout = 0", "from 1 to 3600"),
            ("[hooks.h]\ncommand = [\"/x\"]\nevent = 1", "did you mean events?"),
        ]
    )
    func wrongValues(text: String, expected: String) {
        #expect(complaints(text)?.contains(expected) == true, "\(complaints(text) ?? "accepted")")
    }

    @Test(
        "two books on one directory, or one below the other, are refused",
        arguments: [
            ("/a", "/a/", "on one directory"), ("/a", "/a/b", "below the other"),
            ("/a/b/c", "/a", "below the other"),
            ("/", "/a", "below the other"), ("~/x/../y", "/home/ana/y", "on one directory"),
        ]
    )
    func overlappingBooks(one: String, two: String, expected: String) {
        let text = "[books.one]\ndirectory = \"\(one)\"\n[books.two]\ndirectory = \"\(two)\""
        #expect(complaints(text)?.contains(expected) == true, "\(complaints(text) ?? "accepted")")
    }

    @Test("directories that only begin alike are two")
    func alike() {
        #expect(complaints("[books.a]\ndirectory = \"/a\"\n[books.b]\ndirectory = \"/ab\"") == nil)
    }

    @Test("a book cannot lie on the state directory")
    func stateDirectory() {
        #expect(complaints("state = \"/b\"\n" + book(""))?.contains("is on the state directory") == true)
    }

    @Test("two peers with one id are one machine")
    func onePeerTwice() {
        let text = "[peers.a]\nid = \"\(idA)\"\n[peers.b]\nid = \"\(idA.uppercased())\""
        #expect(complaints(text)?.contains("c.toml:3:8: peers a and b have one id") == true)
    }

    @Test("a peer's book that is not in the file is named with the nearest one")
    func unknownBook() {
        let text =
            book("")
            + "[books.personal]\ndirectory = \"/p\"\n[peers.p]\nid = \"\(idA)\"\nbooks = [\"persnal\"]"
        #expect(complaints(text)?.contains("did you mean \"personal\"?") == true)
    }

    @Test(
        "what is no TOML costs no more than a sentence with its place",
        arguments: ["name = ", "[books.b", "name = \"a\"\nname = \"b\"", "\u{0}", "a = [[[[", "= 1"]
    )
    func noTOML(text: String) {
        #expect(complaints(text)?.contains("this is no TOML") == true, "\(complaints(text) ?? "accepted")")
    }

    @Test("text that is no UTF-8 is refused")
    func noUTF8() {
        #expect(throws: ConfigErrors.self) {
            try Configuration.read(text: [0x6E, 0x3D, 0x22, 0xFF, 0x22], file: "c.toml", environment: laptop)
        }
    }

    @Test("values nested beyond all sense are refused, not followed")
    func deep() {
        let deep = "x = " + String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        #expect(complaints(deep)?.contains("unknown key x") == true)
        #expect(complaints("x = " + String(repeating: "[", count: 100_000))?.contains("no TOML") == true)
    }
}
