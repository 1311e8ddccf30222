import AddressBook
import Config
import Controllers
import JSON
import Replication

/// Values that are kept beside those that are shown.
extension WebPage {
    func conflicts(_ html: inout HTML) {
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
}
