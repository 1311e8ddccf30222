import AddressBook
import Config
import Controllers
import HTTP
import JSON
import TLS

/// One answer of the page: the frame around its parts, and what they share.
struct WebPage {
    let daemon: Daemon
    /// Milliseconds since 1970.
    let now: UInt64
    let query: [String: String]
    private let token: String

    init(_ daemon: Daemon, token: String, query: [String: String]) {
        self.daemon = daemon
        self.token = token
        self.query = query
        now = daemon.replica.now
    }

    /// A whole number of the query from 1 up.
    func number(_ name: String) -> Int { max(1, query[name].flatMap { Int($0) } ?? 1) }

    /// A link within the page, with the token.
    func link(_ path: String, _ parameters: [(String, String)] = [], to anchor: String = "") -> String {
        let all = [("token", token)] + parameters
        let query = all.map { "\($0.0)=\(Self.percentEncoded($0.1))" }.joined(separator: "&")
        return path + "?" + query + (anchor.isEmpty ? "" : "#" + anchor)
    }

    /// Adds what a form has to send beside what is typed.
    func hiddenToken(_ html: inout HTML) {
        html.begin("input", ["type": "hidden", "name": "token", "value": token])
    }

    /// Changes whenever the page would: after a commit, when a peer comes, goes or catches up, and every minute for
    /// the times that it shows.
    var pulse: String {
        var hasher = Hasher()
        hasher.combine(daemon.committer.commits)
        hasher.combine(JSONWriter.text(daemon.peersStatus()))
        for book in daemon.books { hasher.combine(book.directory.state) }
        hasher.combine(now / 60_000)
        return String(UInt64(bitPattern: Int64(hasher.finalize())), radix: 16)
    }

    /// The whole page around a body. Nothing but what is in it is loaded or run, whatever a contact says.
    func framed(_ title: String, _ body: (inout HTML) -> Void) -> HTTPResponse {
        let nonce = Random.bytes(16).map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
        var html = HTML()
        html.raw("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">")
        html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
        html.raw("<meta name=\"color-scheme\" content=\"light dark\"><link rel=\"icon\" href=\"data:,\">")
        html.element("title", text: "\(title) · contactsync")
        html.element("style", ["nonce": nonce]) { $0.raw(WebStyle.sheet) }
        html.raw("</head>")
        html.element("body", ["data-pulse": pulse, "data-pulse-link": link("/pulse")]) { html in
            header(&html)
            html.element("main", [:], body)
            html.element("footer") { html in
                html.text(
                    "contactsync \(Product.version) · for reading; `contactsync` on this machine changes things"
                )
            }
            html.element("script", ["nonce": nonce]) { $0.raw(WebStyle.script) }
        }
        html.raw("</html>\n")
        return .plain(
            html.markup,
            type: "text/html; charset=utf-8",
            [
                (
                    "Content-Security-Policy",
                    "default-src 'none'; style-src 'nonce-\(nonce)'; script-src 'nonce-\(nonce)'; "
                        + "connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
                ),
                ("Referrer-Policy", "no-referrer"), ("X-Frame-Options", "DENY"),
                ("Cross-Origin-Opener-Policy", "same-origin"),
                ("Cross-Origin-Resource-Policy", "same-origin"),
            ]
        )
    }

    private func header(_ html: inout HTML) {
        html.element("header") { html in
            html.element("a", ["href": link("/"), "class": "home"]) { html in
                html.raw(
                    "<svg viewBox=\"0 0 32 32\" aria-hidden=\"true\"><circle cx=\"10\" cy=\"11\" r=\"5\"></circle><circle cx=\"23\" cy=\"9\" r=\"3.5\"></circle><circle cx=\"20\" cy=\"23\" r=\"5\"></circle><path d=\"M10 11 23 9M10 11l10 12M23 9l-3 14\"></path></svg>"
                )
                html.foreign(daemon.configuration.name, limit: 40)
            }
            html.element("nav") { html in
                for book in daemon.books {
                    let isHere = query["name"] == book.name
                    html.element(
                        "a",
                        [
                            "href": link("/book", [("name", book.name)]),
                            "aria-current": isHere ? "page" : nil,
                        ]
                    ) { $0.foreign(book.name, limit: 30) }
                }
            }
            state(&html)
        }
    }

    private func state(_ html: inout HTML) {
        let isBad = needs.contains { $0.kind == "bad" }
        let needs = needs.count
        let (kind, words) =
            if needs > 0 {
                (isBad ? "bad" : "warn", needs == 1 ? "1 thing needs you" : "\(needs) things need you")
            } else if daemon.hub.peers.isEmpty {
                ("warn", "no peer yet")
            } else if daemon.isInSync {
                ("good", "in sync")
            } else {
                ("warn", "not in sync")
            }
        html.element("span", ["class": "pill \(kind)"], text: words)
    }

    // MARK: What parts share

    /// Adds how long ago something was.
    func time(_ html: inout HTML, _ milliseconds: UInt64) {
        let seconds = now > milliseconds ? (now - milliseconds) / 1000 : 0
        let words =
            switch seconds {
            case 0..<45: "just now"
            case 45..<3600: "\((seconds + 30) / 60) min ago"
            case 3600..<86_400: "\(seconds / 3600) h ago"
            default: "\(seconds / 86_400) d ago"
            }
        let exact = Timestamp.text(milliseconds)
        html.element("time", ["datetime": exact, "title": exact], text: words)
    }

    /// Adds the title of a section, and of how many things it tells.
    func title(_ html: inout HTML, _ words: String, _ count: Int) {
        html.element("h2") { html in
            html.foreign(words, limit: 40)
            html.element("span", ["class": "count"], text: Self.grouped(count))
        }
    }

    /// Adds a command to be typed.
    func command(_ html: inout HTML, _ words: [String]) {
        let line = (["contactsync"] + words.map(Self.quoted)).joined(separator: " ")
        html.element("code", ["class": "command"], text: line)
    }

    /// Adds links to the pages of a list.
    func pages(_ html: inout HTML, _ name: String, at page: Int, of count: Int, to anchor: String) {
        guard count > 1 else { return }
        var others: [(String, String)] = []
        for key in ["name", "find", "duplicates", "conflicts"] where key != name {
            if let value = query[key] { others.append((key, value)) }
        }
        let path = query["name"] == nil ? "/" : "/book"
        html.element("p", ["class": "pages"]) { html in
            for (step, words) in [(-1, "← before"), (1, "after →")] {
                let target = page + step
                if (1...count).contains(target) {
                    let href = link(path, others + [(name, String(target))], to: anchor)
                    html.element("a", ["href": href, "rel": step < 0 ? "prev" : "next"], text: words)
                }
                if step < 0 { html.element("span", text: "page \(page) of \(count)") }
            }
        }
    }

    /// A path as people write it, with their home as `~`.
    func shown(_ path: String) -> String {
        let home = daemon.environment.home
        return home.count > 1 && path.hasPrefix(home + "/") ? "~" + path.dropFirst(home.count) : path
    }

    /// How people call a device.
    func deviceName(_ device: String) -> String {
        if device == daemon.identity.deviceID { return daemon.configuration.name }
        return daemon.hub.peers[device]?.configuration.name ?? "device " + device.prefix(8)
    }

    /// A value of a card as people read it.
    static func plain(_ value: JSONValue) -> String {
        if let text = value.string { return text }
        for member in ["number", "address", "note", "full", "name", "uri", "value"] {
            if let text = value.object?[member]?.string { return text }
        }
        return value.isNull ? "nothing" : JSONWriter.text(value)
    }

    /// A word for a shell.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "-_.,:/+@".utf8.contains(byte)
        }
        return isPlain && !word.isEmpty
            ? word
            : "'"
                + word.split(separator: "'", omittingEmptySubsequences: false)
                .joined(separator: "'\\''") + "'"
    }

    private static func percentEncoded(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "-_.~".utf8.contains(byte)
            return isPlain
                ? String(UnicodeScalar(byte))
                : "%" + String(UInt16(byte) + 0x100, radix: 16, uppercase: true).dropFirst()
        }.joined()
    }
}
