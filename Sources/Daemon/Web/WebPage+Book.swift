import AddressBook
import Config
import Contacts
import Controllers
import HTTP
import Replication

/// One book: its contacts, a page at a time.
extension WebPage {
    private static let contacts = 100

    /// Nil if there is no such book.
    func book() -> HTTPResponse? {
        guard let book = daemon.books.first(where: { $0.name == query["name"] }) else { return nil }
        let wanted = String((query["find"] ?? "").prefix(HTML.shownLimit))
        let found = Self.sorted(book, wanted)
        let count = max(1, (found.count + Self.contacts - 1) / Self.contacts)
        let page = min(number("page"), count)
        return framed(book.name) { html in
            html.element("section", ["id": "contacts", "class": "wide"]) { html in
                title(&html, book.name, found.count)
                html.element("form", ["action": "/book", "method": "get", "role": "search"]) { html in
                    hiddenToken(&html)
                    html.begin("input", ["type": "hidden", "name": "name", "value": book.name])
                    html.begin(
                        "input",
                        [
                            "type": "search", "name": "find", "value": wanted,
                            "placeholder": "name or number", "aria-label": "name or number",
                        ]
                    )
                    html.element("button", text: "find")
                }
                if found.isEmpty { html.element("p", ["class": "empty"], text: "Nobody is found.") }
                html.element("ul", ["class": "contacts"]) { html in
                    for uid in found.dropFirst((page - 1) * Self.contacts).prefix(Self.contacts) {
                        row(&html, book, uid)
                    }
                }
                pages(&html, "page", at: page, of: count, to: "contacts")
            }
        }
    }

    /// The persons whose names or numbers hold a text, by name. Cards are not looked at: only a page of them is shown.
    private static func sorted(_ book: Book, _ wanted: String) -> [UID] {
        let catalog = book.list.index.catalog
        let words = PersonName(wanted).folded
        let digits = String(wanted.filter { $0.isASCII && $0.isNumber }.drop { $0 == "0" })
        let isNumber = digits.count > 2
        let keyed = book.list.index.persons { _ in false }.compactMap { uid -> (name: String, uid: UID)? in
            guard let profile = catalog.profile(of: uid) else { return nil }
            let name = profile.name.folded
            let fits =
                words.isEmpty || name.contains(words)
                || isNumber && profile.phones.keys.contains { $0.contains(digits) }
            return fits ? (name, uid) : nil
        }
        return keyed.sorted { a, b in a.name != b.name ? a.name < b.name : a.uid < b.uid }.map(\.uid)
    }

    private func row(_ html: inout HTML, _ book: Book, _ uid: UID) {
        guard let card = book.list.card(ofPersonWith: uid) else { return }
        html.element("li") { html in
            html.element("strong") { $0.foreign(card.name ?? "no name", limit: 80) }
            if card.uids.count > 1 {
                html.element("span", ["class": "pill"], text: "\(card.uids.count) merged")
            }
            html.element("span", ["class": "phones"]) { html in
                for phone in card.phones.prefix(4) { html.foreign(phone.number, limit: 40) }
                if card.phones.count > 4 { html.text("and \(card.phones.count - 4) more") }
            }
            if let file = book.directory.file(of: card.uids) {
                html.element("small", ["class": "path"]) { $0.foreign(file, limit: 60) }
            }
        }
    }
}
