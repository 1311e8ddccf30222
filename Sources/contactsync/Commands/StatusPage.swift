import JSON

/// The status as a person reads it: one line about the machine, the tables, then what needs a person.
enum StatusPage {
    static func show(_ status: JSONValue, _ page: inout Page) {
        let port = status.text("listening")
        page.line(
            "\(status.text("name"))  \(status.text("version"))  up \(Moment.duration(status.number("uptime") ?? 0))  "
                + (port.isEmpty ? "not listening" : "listening on port \(port)") + "  \(sync(status))"
        )
        page.line("device \(status.text("device"))")
        page.line()
        page.table(
            [
                .text("BOOK"), .text("STATE"), .number("CONTACTS"), .number("FILES"), .number("MERGED"),
                .number("CONFLICTS"), .text("DIRECTORY"),
            ],
            status.list("books").map { book in
                ["name", "state", "contacts", "files", "merged", "conflicts", "directory"].map {
                    book.text($0)
                }
            }
        )
        if status.list("books").isEmpty {
            page.line("no books: add a table [books.NAME] to the configuration")
        }
        if !status.list("peers").isEmpty { page.line() }
        peers(status.list("peers"), &page)
        if !status.text("failure").isEmpty {
            page.line()
            page.line("CANNOT STORE: \(status.text("failure"))")
        }
        for book in status.list("books") { needs(book, &page) }
    }

    /// Yes only if every book rests, nothing waits for a person, and the peers are equal or there are none.
    static func judge(_ status: JSONValue) -> ExitCode {
        let booksRest = status.list("books").allSatisfy { book in
            book.text("state") == "idle" && book.at("held").isNull && book.list("setAside").isEmpty
                && book.text("writeFailure").isEmpty
                && (book.number("conflicts") ?? 0) == 0
        }
        return booksRest && (status.isTrue("inSync") || status.list("peers").isEmpty) ? .done : .no
    }

    /// A line a peer.
    static func peers(_ peers: [JSONValue], _ page: inout Page) {
        page.table(
            [
                .text("PEER"), .text("STATE"), .number("TO SEND"), .number("TO RECEIVE"), .text("SESSION"),
                .text("NOTE"),
            ],
            peers.map { peer in
                let books = (peer.at("books").object ?? JSONObject()).map(\.value)
                let sum = { (key: String) in String(books.reduce(0) { $0 + ($1.number(key) ?? 0) }) }
                return [
                    peer.text("name"), peer.text("state"), sum("toSend"), sum("toReceive"),
                    peer.text("session"), note(peer),
                ]
            }
        )
    }

    /// Why it is not connected, or what one of both does not take.
    private static func note(_ peer: JSONValue) -> String {
        guard peer.text("lastError").isEmpty else { return peer.text("lastError") }
        let notes = (peer.at("books").object ?? JSONObject()).flatMap { book -> [String] in
            let (here, there) = (
                book.value.number("refusedHere") ?? 0, book.value.number("refusedThere") ?? 0
            )
            var notes: [String] = []
            if here > 0, peer.text("access") == "read" {
                notes.append("\(here) of its changes in \(book.key) refused here: it may only read")
            }
            if there > 0, book.value.isTrue("readOnlyThere") {
                notes.append("\(there) of our changes in \(book.key) refused there: we may only read")
            }
            return notes
        }
        return notes.joined(separator: "; ")
    }

    private static func sync(_ status: JSONValue) -> String {
        if status.list("peers").isEmpty { return "no peers" }
        return status.isTrue("inSync") ? "in sync" : "not in sync"
    }

    private static func needs(_ book: JSONValue, _ page: inout Page) {
        let name = book.text("name")
        let held = book.at("held")
        if !held.isNull {
            let deletions = held.list("deletions")
            let from = held.text("from").isEmpty ? "" : " from \(held.text("from"))"
            page.line()
            page.line(
                "HELD: \(deletions.count) deletions\(from) in \(name) wait since \(Moment.shown(held.text("since")))"
            )
            if !held.text("reason").isEmpty { page.line("  \(held.text("reason"))") }
            let shown = 10  // more fill the screen; --json has all
            for person in deletions.prefix(shown) {
                page.line("  \(Persons.name(person))  \(person.text("uid"))")
            }
            if deletions.count > shown { page.line("  and \(deletions.count - shown) more") }
            page.line(
                "  decide: contactsync resume \(name) --delete, or contactsync resume \(name) --restore"
            )
        }
        if !book.text("writeFailure").isEmpty {
            page.line("")
            page.line("CANNOT WRITE in \(name): \(book.text("writeFailure")); it is tried again until it can")
        }
        let setAside = book.list("setAside")
        if !setAside.isEmpty {
            page.line()
            page.line("set aside in \(name), left as they are until they can be read:")
            for file in setAside {
                let place = [file.text("file"), file.text("line"), file.text("column")].filter { !$0.isEmpty }
                page.line("  \(place.joined(separator: ":"))  \(file.text("reason"))")
            }
        }
        if (book.number("conflicts") ?? 0) > 0 {
            page.line()
            page.line("conflicts in \(name): see them with contactsync conflicts \(name)")
        }
        for complaint in book.list("complaints") { page.line("in \(name): \(complaint.plain)") }
        for clash in book.list("clashes") {
            page.line(
                "one uid in several files of \(name): \(clash.list("files").map(\.plain).joined(separator: ", "))"
            )
        }
    }
}
