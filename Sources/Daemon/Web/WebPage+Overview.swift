import AddressBook
import Config
import Controllers
import HTTP

/// The first page.
extension WebPage {
    /// Duplicates, or conflicts, on one page.
    static let perPage = 8

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
                        $0.foreign(shown(book.configuration.directory), limit: 60)
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
}
