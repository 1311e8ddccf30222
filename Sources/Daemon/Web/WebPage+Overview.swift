import AddressBook
import Config
import Controllers
import HTTP
import JSON
import Replication

/// The first page.
extension WebPage {
    /// Duplicates, or conflicts, on one page.
    private static let perPage = 8
    /// Lines of history on one page.
    private static let lines = 40

    func overview() -> HTTPResponse {
        framed(daemon.configuration.name) { html in
            needs(&html)
            peers(&html)
            books(&html)
            duplicates(&html)
            conflicts(&html)
            history(&html)
        }
    }

    private func books(_ html: inout HTML) {
        html.element("section", ["id": "books"]) { html in
            html.element("h2", text: "Books")
            if daemon.books.isEmpty {
                html.element("p", ["class": "empty"], text: "No book is configured: add [books.NAME].")
            }
            for book in daemon.books {
                html.element("a", ["class": "book", "href": link("/book", [("name", book.name)])]) { html in
                    html.element("h3") { html in
                        html.foreign(book.name, limit: 40)
                        let state = book.list.held.isEmpty ? book.directory.state : "held"
                        let kind = state == "idle" ? "good" : state == "held" ? "bad" : "warn"
                        html.element("span", ["class": "pill \(kind)"], text: state)
                    }
                    html.element("p", ["class": "path"]) {
                        $0.foreign(book.configuration.directory, limit: 60)
                    }
                    html.element("dl", ["class": "numbers"]) { html in
                        let aside = book.directory.setAside.count
                        for (name, value, isBad) in [
                            ("contacts", book.list.index.count, false),
                            ("files", book.directory.files.count, false),
                            ("merged", book.list.index.mergedCount, false),
                            ("conflicts", book.list.conflictCount, book.list.conflictCount > 0),
                            ("set aside", aside, aside > 0),
                        ] {
                            html.element("div", ["class": isBad ? "bad" : nil]) { html in
                                html.element("dt", text: name)
                                html.element("dd", text: Self.grouped(value))
                            }
                        }
                    }
                }
            }
        }
    }

    /// `5,000`.
    static func grouped(_ number: Int) -> String {
        var digits = String(number)
        var out = ""
        while digits.count > 3 {
            out = "," + digits.suffix(3) + out
            digits.removeLast(3)
        }
        return digits + out
    }

    // MARK: Duplicates

    private func duplicates(_ html: inout HTML) {
        let all = daemon.books.flatMap { book in
            book.list.index.candidatesNotJoined().map { (book: book, entry: $0) }
        }
        let count = (all.count + Self.perPage - 1) / Self.perPage
        let page = min(number("duplicates"), max(1, count))
        html.element("section", ["id": "duplicates", "class": "wide"]) { html in
            title(&html, "Suspected duplicates", all.count)
            guard !all.isEmpty else {
                return html.element(
                    "p",
                    ["class": "empty"],
                    text: "Nobody shares a number with somebody else without being one with them."
                )
            }
            for (book, entry) in all.dropFirst((page - 1) * Self.perPage).prefix(Self.perPage) {
                duplicate(&html, book, entry)
            }
            pages(&html, "duplicates", at: page, of: count, to: "duplicates")
        }
    }

    /// Persons side by side at most.
    private static let sideBySide = 4

    private func duplicate(_ html: inout HTML, _ book: Book, _ entry: Unjoined) {
        html.element("article", ["class": "duplicate"]) { html in
            html.element("h3") { html in
                html.foreign(entry.key, limit: 40)
                html.element("span", ["class": "pill"], text: Self.sentence(entry.reason))
                if daemon.books.count > 1 { html.element("small") { $0.foreign(book.name, limit: 40) } }
            }
            html.element("div", ["class": "side"]) { html in
                for person in entry.persons.prefix(Self.sideBySide) {
                    html.element("div", ["class": "contact"]) { html in
                        contact(&html, book, person, entry.key)
                    }
                }
            }
            if entry.persons.count > Self.sideBySide {
                html.element("p", text: "and \(entry.persons.count - Self.sideBySide) more")
            }
            if entry.persons.count == 2 {
                let uids = entry.persons.map { $0[0].text }
                html.element("details") { html in
                    html.element("summary", text: "settle it")
                    html.element("p", text: "one person:")
                    command(&html, ["merge", book.name] + uids)
                    html.element("p", text: "two persons, for good:")
                    command(&html, ["distinct", book.name] + uids)
                }
            }
        }
    }

    private static func sentence(_ reason: Unjoined.Reason) -> String {
        switch reason {
        case .switchboard: "a switchboard: three names or more carry it"
        case .household: "a household: each has a number of their own"
        case .names: "the names differ"
        case .kind: "different kinds"
        case .marked: "marked as no one's own"
        case .toldApart: "told apart by you"
        case .policy: "this book only suggests"
        case .fitsTwo: "a name that fits two"
        case .wouldJoinOthers: "would bring others together"
        }
    }

    private func contact(_ html: inout HTML, _ book: Book, _ person: [UID], _ key: String) {
        guard let card = book.list.card(ofPersonWith: person[0]) else { return }
        html.element("h4") { $0.foreign(card.name ?? "no name", limit: 80) }
        func texts(_ member: String, _ name: String) -> [String] {
            (card.card[member]?.object).map { entries in
                entries.compactMap { $0.value.object?[name]?.string }
            } ?? []
        }
        html.element("dl") { html in
            for (name, values) in [
                ("org", texts("organizations", "name")), ("mail", texts("emails", "address")),
                ("note", texts("notes", "note")),
            ] where !values.isEmpty {
                html.element("dt", text: name)
                for value in values.prefix(3) { html.element("dd") { $0.foreign(value, limit: 80) } }
            }
            html.element("dt", text: "phone")
            for phone in card.phones.prefix(6) {
                html.element("dd", ["class": phone.key == key ? "shared" : nil]) {
                    $0.foreign(phone.number, limit: 40)
                }
            }
            if let file = book.directory.file(of: person) {
                html.element("dt", text: "file")
                html.element("dd", ["class": "path"]) { $0.foreign(file, limit: 60) }
            }
        }
    }

    // MARK: Conflicts

    private func conflicts(_ html: inout HTML) {
        let all = daemon.books.flatMap { book in book.list.conflicted.map { (book: book, uid: $0) } }
        guard !all.isEmpty else { return }
        let count = (all.count + Self.perPage - 1) / Self.perPage
        let page = min(number("conflicts"), count)
        html.element("section", ["id": "conflicts", "class": "wide"]) { html in
            title(&html, "Conflicts", all.count)
            for (book, uid) in all.dropFirst((page - 1) * Self.perPage).prefix(Self.perPage) {
                guard let card = book.list.card(ofPersonWith: uid) else { continue }
                html.element("article", ["class": "conflict"]) { html in
                    html.element("h3") { html in
                        html.foreign(card.name ?? "no name", limit: 80)
                        if daemon.books.count > 1 {
                            html.element("small") { $0.foreign(book.name, limit: 40) }
                        }
                    }
                    for conflict in card.conflicts.prefix(Self.perPage) {
                        self.conflict(&html, book, card, conflict)
                    }
                }
            }
            pages(&html, "conflicts", at: page, of: count, to: "conflicts")
        }
    }

    private func conflict(
        _ html: inout HTML,
        _ book: Book,
        _ card: PersonCard,
        _ conflict: Conflict
    ) {
        let field = conflict.field.text.text
        html.element("p", ["class": "field"]) { $0.foreign(field, limit: 80) }
        html.element("div", ["class": "side"]) { html in
            html.element("div", ["class": "value shown"]) { html in
                html.element("small", text: "shown")
                html.element("p") { $0.foreign(Self.plain(conflict.shown), limit: 300) }
            }
            for other in conflict.others.prefix(3) {
                html.element("div", ["class": "value"]) { html in
                    html.element("small") { html in
                        html.foreign(deviceName(book.list.device(other.version.session)), limit: 40)
                        html.text(" · ")
                        time(&html, other.version.time.milliseconds)
                    }
                    html.element("p") { $0.foreign(Self.plain(other.version.value ?? .null), limit: 300) }
                    html.element("details") { html in
                        html.element("summary", text: "take this one")
                        command(
                            &html,
                            ["resolve", book.name, card.uid.text, field, ListController.id(other.source)]
                        )
                    }
                }
            }
        }
    }

    // MARK: History

    private func history(_ html: inout HTML) {
        let before = query["before"].flatMap { Int64($0) } ?? Int64.max
        let rows = (try? daemon.store.journal(before: before, limit: Self.lines)) ?? []
        html.element("section", ["id": "history", "class": "wide"]) { html in
            html.element("h2", text: "Recent history")
            if rows.isEmpty { html.element("p", ["class": "empty"], text: "Nothing has happened yet.") }
            html.element("ol", ["class": "history"]) { html in
                for event in daemon.journal.events(rows) { line(&html, event) }
            }
            html.element("p", ["class": "pages"]) { html in
                if before != .max { html.element("a", ["href": link("/", to: "history")], text: "← newest") }
                if rows.count == Self.lines, let last = rows.last {
                    let older = link("/", [("before", String(last.id))], to: "history")
                    html.element("a", ["href": older], text: "older →")
                }
            }
        }
    }

    private func line(_ html: inout HTML, _ event: JSONObject) {
        func text(_ name: String) -> String { event[name]?.string ?? "" }
        let word = text("event")
        let kind =
            switch word {
            case "added", "mended", "peer-up", "sync-complete", "release": "good"
            case "conflict", "set-aside", "peer-down": "warn"
            case "removed", "hold": "bad"
            default: ""
            }
        let peer = text("peer").isEmpty ? deviceName(text("device")) : text("peer")
        let who = text("name").isEmpty ? "someone without a name" : text("name")
        let fields = Set((event["fields"]?.array ?? []).compactMap { $0.string?.prefix { $0 != "/" } })
        let what = fields.sorted().joined(separator: ", ")
        let (subject, sentence): (String, String) =
            switch word {
            case "added": (who, event["restored"] == nil ? "was added" : "was brought back")
            case "changed": (who, "was changed" + (what.isEmpty ? "" : ": " + what))
            case "removed": (who, "was removed")
            case "merged": (who, "is one contact now, of \(event["uids"]?.array?.count ?? 2) entries")
            case "split": (who, "was told apart")
            case "conflict": (who, "has two values: " + what)
            case "set-aside": (text("file"), "is set aside: " + text("reason"))
            case "mended": (text("file"), "is mended")
            case "peer-up": (peer, "connected")
            case "peer-down": (peer, "disconnected: " + text("reason"))
            case "sync-complete": (peer, "and we hold the same")
            case "hold": (text("book"), "is held: " + text("reason"))
            case "release": (text("book"), "is held no longer")
            default: (word, "")
            }
        html.element("li", ["class": kind]) { html in
            html.element("span", ["class": "what"]) { html in
                html.element("strong") { $0.foreign(subject, limit: 60) }
                html.text(" ")
                html.foreign(sentence, limit: 200)
                if !text("origin").isEmpty {
                    html.element("small") { html in
                        html.text(" on ")
                        html.foreign(deviceName(text("device")), limit: 40)
                    }
                }
            }
            if let at = Timestamp.milliseconds(text("time")) { time(&html, at) }
        }
    }
}
