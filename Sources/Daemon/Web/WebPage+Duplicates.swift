import AddressBook
import Config
import Controllers
import JSON
import Replication

/// Persons that share a number and are not one, side by side.
extension WebPage {
    func duplicates(_ html: inout HTML) {
        // What people have settled is nothing to suspect any more.
        let settled: Set<Unjoined.Reason> = [.toldApart, .marked]
        let all = daemon.books.flatMap { book in
            book.list.index.candidatesNotJoined().filter { !settled.contains($0.reason) }
                .map { (book: book, entry: $0) }
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
}
