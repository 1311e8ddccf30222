import Config
import Testing

@Suite struct ConfigurationTests {
    @Test("a file with every key is read as it stands")
    func everything() throws {
        let configuration = try read(
            """
            name = "my laptop"               # a comment
            listen = "0.0.0.0:9000"
            state = "/var/lib/contactsync/"
            socket = "~/run/../s.sock"
            disk-reserve = "1 GiB"

            [books.work]
            directory = "/srv//work/./contacts"
            region = "gb"
            deduplicate = "careful"
            deletion-limit = "5 %"
            keep-deleted = 90
            trash-limit = "1 GiB"
            rescan-interval = 60

            [books.personal]
            directory = "~/Contacts"

            [peers.phone]
            id = "\(idB.uppercased())"
            books = ["work", "personal", "work"]

            [peers.desktop]
            id = "\(idA)"
            address = "desktop.lan:8750"
            access = "read"
            """
        )
        var work = Configuration.Book(name: "work", directory: "/srv/work/contacts", region: "GB")
        work.deduplicate = .careful
        work.deletionLimit = 5
        work.keepDeleted = 90
        work.trashLimit = 1 << 30
        work.rescanInterval = 60
        let personal = Configuration.Book(name: "personal", directory: "/home/ana/Contacts")
        #expect(configuration.name == "my laptop")
        #expect(configuration.listen == .at(host: "0.0.0.0", port: 9000))
        #expect(configuration.state == "/var/lib/contactsync")
        #expect(configuration.socket == "/home/ana/s.sock")
        #expect(configuration.diskReserve == 1 << 30)
        #expect(configuration.books == [personal, work])
        #expect(configuration.file == "c.toml")
        #expect(
            configuration.peers == [
                Configuration.Peer(
                    name: "desktop",
                    id: idA,
                    address: .init(host: "desktop.lan", port: 8750),
                    books: [],
                    access: .read,
                    line: 23
                ),
                Configuration.Peer(name: "phone", id: idB, books: ["personal", "work"], line: 19),
            ]
        )
    }

    @Test("metrics and the page are served on loopback, metrics elsewhere if told so, and neither when off")
    func pages() throws {
        #expect(try read("").metricsListen == nil)
        #expect(try read("").webListen == Configuration.Place(host: "127.0.0.1", port: 0))
        let both = try read("metrics-listen = \":9000\"\nweb-listen = \"[::1]:8000\"")
        #expect(both.metricsListen == Configuration.Place(host: "127.0.0.1", port: 9000))
        #expect(both.webListen == Configuration.Place(host: "::1", port: 8000))
        let open = try read("metrics-listen = \"[::]:9000\"")
        #expect(open.metricsListen == Configuration.Place(host: "::", port: 9000))
        let off = try read("metrics-listen = \"off\"\nweb-listen = \"off\"")
        #expect(off.metricsListen == nil && off.webListen == nil)
    }

    @Test("hooks have a command of words, and what they leave out is all events and half a minute")
    func hooks() throws {
        let configuration = try read(
            """
            [hooks.tell]
            command = ["~/bin/tell", "-q"]
            events = ["added", "hold"]
            timeout = 5
            [hooks.all]
            command = ["/bin/cat"]
            """
        )
        #expect(
            configuration.hooks == [
                Configuration.Hook(name: "all", command: ["/bin/cat"]),
                Configuration.Hook(
                    name: "tell",
                    command: ["/home/ana/bin/tell", "-q"],
                    events: ["added", "hold"],
                    timeout: 5
                ),
            ]
        )
        #expect(configuration.hooks[0].events.count == 13 && configuration.hooks[0].timeout == 30)
    }

    @Test("an empty file is right, and means the defaults")
    func empty() throws {
        let configuration = try read("")
        #expect(configuration.name == "laptop")
        #expect(configuration.listen == .at(host: "::", port: 8749))
        #expect(configuration.state == "/home/ana/.local/state/contactsync")
        #expect(configuration.socket == "/run/user/1000/contactsync.sock")
        #expect(configuration.books.isEmpty && configuration.peers.isEmpty)
    }

    @Test("without a runtime directory the socket is in the state directory, also in one that was chosen")
    func socketFallback() throws {
        let environment = ConfigEnvironment(
            home: "/home/ana",
            hostName: "h",
            runtimeDirectory: "relative/is/not/set",
            stateHome: "/xdg",
            userID: 1
        )
        #expect(try read("", environment).socket == "/xdg/contactsync/contactsync.sock")
        #expect(try read("state = \"/s\"", environment).socket == "/s/contactsync.sock")
    }

    @Test("a book has the default rules where the file is silent")
    func bookDefaults() throws {
        let book = try #require(try read(book("")).books.first)
        #expect(book.region == nil)
        #expect(book.deduplicate == .phone)
        #expect(book.deletionLimit == 30)
        #expect(book.keepDeleted == 30)
        #expect(book.trashLimit == 268_435_456)
        #expect(book.rescanInterval == 3600)
    }

    @Test(
        "listen is off, or a host and a port",
        arguments: [
            ("off", Configuration.Listen.off), ("[::]:8749", .at(host: "::", port: 8749)),
            ("127.0.0.1:0", .at(host: "127.0.0.1", port: 0)), (":9", .at(host: "::", port: 9)),
            ("[::1]", .at(host: "::1", port: 8749)), ("box.lan", .at(host: "box.lan", port: 8749)),
        ]
    )
    func listen(text: String, expected: Configuration.Listen) throws {
        #expect(try read("listen = \"\(text)\"").listen == expected)
    }

    @Test(
        "a trash limit is a size with or without unit",
        arguments: [
            ("\"256 MiB\"", 268_435_456), ("\"10 MB\"", 10_000_000), ("\"1GiB\"", 1 << 30), ("\"7\"", 7),
            ("0", 0),
            ("4096", 4096), ("\"2 kb\"", 2000),
        ]
    )
    func trashLimit(text: String, bytes: Int) throws {
        #expect(try read(book("trash-limit = \(text)")).books.first?.trashLimit == bytes)
    }

    @Test("a device ID may have colons, blanks, hyphens and capitals", arguments: [":", " ", "-"])
    func deviceID(separator: String) throws {
        let written = (0..<32).map { _ in "A1" }.joined(separator: separator)
        #expect(try read("[peers.p]\nid = \"\(written)\"").peers.first?.id == idA)
    }
}
