import Foundation
import JSON
import Testing

/// The page to look at, as HTTP and HTML have it.
@Suite("The page")
struct WebTests {
    /// A served page: port and link without the host.
    struct Served {
        let port: UInt16
        let token: String

        init(_ machine: Machine) throws {
            let link = try #require(try machine.must("web", "--json").json?["link"]?.string)
            let match = try #require(
                link.wholeMatch(of: #/http:\/\/127\.0\.0\.1:(\d+)\/\?token=([0-9a-f]{32})/#)
            )
            port = try #require(UInt16(match.output.1))
            token = String(match.output.2)
        }

        func get(_ path: String = "/", _ query: String = "", host: String? = nil, method: String = "GET")
            throws
            -> HTTPAnswer
        {
            let more = query.isEmpty ? "" : "&" + query
            return try HTTPAnswer.get("\(path)?token=\(token)\(more)", port: port, host: host, method: method)
        }
    }

    @Test("Without its token, under another name, or with another method there is no page")
    func door() throws {
        try World.with(["A"]) { _, machines in
            let a = machines[0]
            let page = try Served(a)
            #expect(try page.get().status == 200)
            #expect(try Served(a).token == page.token, "the link holds while the daemon runs")
            for target in [
                "/", "/?token=", "/?token=\(page.token.dropLast())", "/?token=\(page.token)0", "/pulse",
                "/book?name=\(Machine.book)", "/?token=\(String(repeating: "0", count: 32))",
            ] {
                let answer = try HTTPAnswer.get(target, port: page.port)
                #expect(answer.status == 403 && !answer.body.contains("<"), "\(target)")
            }
            #expect(try page.get(host: "evil.example").status == 403)
            #expect(try page.get(host: "localhost").status == 200)
            #expect(try page.get(method: "POST").status == 405)
            #expect(try page.get("/no-such").status == 404)
            #expect(try page.get("/book", "name=no-such").status == 404)
            let headers = try page.get().headers
            let policy = headers["content-security-policy"] ?? ""
            #expect(policy.hasPrefix("default-src 'none'") && !policy.contains("unsafe"))
            #expect(policy.contains("frame-ancestors 'none'") && policy.contains("base-uri 'none'"))
            #expect(headers["referrer-policy"] == "no-referrer" && headers["cache-control"] == "no-store")
            try a.restart()
            #expect(throws: (any Error).self) { try page.get() }
            #expect(try Served(a).token != page.token)
        }
        try World.with { world in
            let a = try world.add("A")
            a.options.firstLines = ["web-listen = \"off\""]
            try a.writeConfiguration()
            try a.start()
            #expect(try a.cli("web").exit == 4)
        }
    }

    @Test("It shows books, peers, duplicates side by side, conflicts, what needs a person, and history")
    func content() throws {
        try World.with { world in
            let a = try world.add("A", MachineOptions(policy: "suggest"))
            let b = try world.add("B", MachineOptions(policy: "suggest"))
            try world.connect()
            a.peers.append(Machine.Peer(name: "attic", id: String(repeating: "ab", count: 32), port: 1))
            try a.writeConfiguration()
            for machine in [a, b] { try machine.start() }
            try world.waitConnected()
            try a.put(SampleCard(1, name: "Ana Holm", phone: "020 7946 0123").text, as: "ana.json")
            try a.put(SampleCard(2, name: "Anna Holm", phone: "+44 20 7946 0123").text, as: "anna.json")
            try a.put("{\"name\": ", as: "bad.json")
            try b.expectCount(2, "both arrive")
            try a.settle()
            let page = try Served(a)
            let html = try Markup(page.get().body)
            for words in [
                "Ana Holm", "Anna Holm", "Needs you", "bad.json is set aside", "attic", "offline", "B",
                "in sync",
                "Suspected duplicates", "020 7946 0123", "+44 20 7946 0123", " added", "personal",
                "contactsync merge personal \(SampleCard(1).uid) \(SampleCard(2).uid)",
                "contactsync distinct personal \(SampleCard(1).uid) \(SampleCard(2).uid)",
            ] { #expect(html.text.contains(words), "\(words)") }
            #expect(html.count("svg") == 2 && html.count("article") == 1)

            let pulse = try page.get("/pulse").body
            #expect(html.attributes["data-pulse"]?.first.map { pulse == $0 + "\n" } == true)
            try a.put(SampleCard(3).text, as: "three.json")
            try eventually("the pulse changes with what is shown") {
                try page.get("/pulse").body == pulse ? "it is the same" : nil
            }
            try a.must("remove", Machine.book, SampleCard(3).uid)
            try eventually("history goes on") {
                try page.get().body.contains("was removed") ? nil : "not told"
            }
        }
    }

    @Test("Whatever a contact, a file or a query says is shown as text, and cut where it has no end")
    func hostile() throws {
        try World.with(["A"], MachineOptions(policy: "suggest")) { _, machines in
            let a = machines[0]
            let evil = [
                "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onload='alert(1)",
                "</style><b>",
                "javascript:alert(1)", "&lt;b&gt;", "\u{202E}evil\u{2066}", "a\u{0}b\u{1B}[31m",
                String(repeating: "long ", count: 5000), "]]><!--",
            ]
            for (index, name) in evil.enumerated() {
                var card = SampleCard(index + 1, name: name, phone: "+44 20 7946 0\(100 + index / 2)")
                card.note = name
                card.email = name
                try a.put(card.text, as: "\(index).json")
            }
            try a.put("{\"<i>\": ", as: "<b>bad&.json")
            try a.expectCount(evil.count, "all are read")
            try a.settle()
            let page = try Served(a)
            for answer in [
                try page.get(), try page.get("/book", "name=\(Machine.book)"),
                try page.get("/book", "name=\(Machine.book)&find=%3Cscript%3E%22"),
                try page.get("/", "duplicates=%3Cscript%3E&conflicts=-1&before=x&name=%22%3E"),
            ] {
                #expect(answer.status == 200)
                let html = try Markup(answer.body)
                #expect(html.count("script") == 1 && html.count("style") == 1)
                #expect(html.count("img") == 0 && html.count("b") == 0 && html.count("i") == 0)
                let known: Set<String> = [
                    "lang", "charset", "name", "content", "rel", "href", "nonce", "class", "data-pulse",
                    "data-pulse-link", "id", "viewBox", "aria-hidden", "aria-current", "cx", "cy", "r", "d",
                    "datetime", "title", "action", "method", "role", "type", "value", "placeholder",
                    "aria-label",
                ]
                #expect(Set(html.attributes.keys).subtracting(known).isEmpty, "\(html.attributes.keys)")
                for link in html.attributes["href"] ?? [] {
                    #expect(link.hasPrefix("/") || link.hasPrefix("#") || link == "data:,", "\(link)")
                }
                #expect(answer.body.utf8.count < 200_000, "\(answer.body.utf8.count) bytes")
                #expect(!answer.body.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\r" })
            }
            #expect(try page.get("/book", "name=\(Machine.book)").body.contains("&lt;script&gt;alert(1)"))
        }
    }

    @Test("A large book is shown a page at a time, in order, and searched by name and number")
    func pages() throws {
        try World.with(["A"]) { _, machines in
            let a = machines[0]
            for index in 1...230 { try a.put(SampleCard(index).text, as: "\(index).json") }
            try a.expectCount(230, "all are read")
            try a.settle()
            let page = try Served(a)
            func names(_ query: String) throws -> [String] {
                let body = try page.get("/book", "name=\(Machine.book)&" + query).body
                return body.matches(of: #/<li><strong><bdi>([^<]*)/#).map { String($0.output.1) }
            }
            let all = try (1...3).flatMap { try names("page=\($0)") }
            #expect(all == (1...230).map { SampleCard($0).name })
            #expect(try names("page=99") == Array(all[200...]), "beyond the end is the end")
            #expect(try names("find=person+007") == ["Person 007"])
            #expect(try names("find=7946+0123") == ["Person 123"])
            #expect(try names("find=nobody") == [])
            #expect(try page.get("/book", "name=\(Machine.book)&page=2").body.contains("page 2 of 3"))
        }
    }
}
