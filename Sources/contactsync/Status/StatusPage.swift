import JSON

/// A status for people: what needs them, then books and peers.
enum StatusPage {
    static func show(_ status: JSONValue, _ page: inout Page) {
        let needs = Needs.of(status, program: page.program)
        head(status, needs, &page)
        for need in needs {
            page.line()
            need.show(&page)
        }
        if !status.list("work").isEmpty {
            page.line()
            WorkBars.show(status, &page)
        }
        if !status.list("books").isEmpty { page.line() }
        books(status.list("books"), &page)
        if !status.list("peers").isEmpty { page.line() }
        peers(status.list("peers"), &page)
    }

    /// Yes only if every book rests, nothing waits for a person, and the peers are equal or there are none.
    static func judge(_ status: JSONValue) -> ExitCode {
        let booksRest = status.list("books").allSatisfy { $0.text("state") == "idle" }
        let isEqual = status.isTrue("inSync") || status.list("peers").isEmpty
        return booksRest && isEqual && !Needs.of(status).contains(where: \.isOpen) ? .done : .no
    }

    /// A line a peer; why one is not connected only with `reasons`.
    static func peers(_ peers: [JSONValue], reasons: Bool = false, _ page: inout Page) {
        page.table(
            [
                .text("PEER"), .text("STATE"), .number("TO SEND"), .number("TO RECEIVE"), .text("SESSION"),
                .text(reasons ? "NOTE" : ""),
            ],
            pieces: peers.map { peer in
                let books = (peer.at("books").object ?? JSONObject()).map(\.value)
                // Unknown while the peer is away.
                let sum = { (key: String) -> Piece in
                    let known = books.compactMap { $0.number(key) }
                    return Piece(text: known.isEmpty ? "?" : WorkBars.grouped(known.reduce(0, +)))
                }
                let state = peer.text("state")
                return [
                    Piece(text: peer.text("name")),
                    Piece(
                        text: state,
                        look: state == "connected" ? .good : state == "refused" ? .bad : .warning
                    ),
                    sum("toSend"), sum("toReceive"), .faint(peer.text("session")),
                    Piece(text: reasons ? note(peer) : ""),
                ]
            }
        )
    }

    /// Why it is not connected, or what one of both does not take.
    private static func note(_ peer: JSONValue) -> String {
        peer.text("lastError").isEmpty ? Needs.refusals(peer).joined(separator: "; ") : peer.text("lastError")
    }

    private static func books(_ books: [JSONValue], _ page: inout Page) {
        page.table(
            [
                .text("BOOK"), .text("STATE"), .number("CONTACTS"), .number("FILES"), .number("MERGED"),
                .number("CONFLICTS"), .text("DIRECTORY"),
            ],
            pieces: books.map { book in
                let state = book.text("state")
                let numbers = ["contacts", "files", "merged", "conflicts"].map { key in
                    Piece(text: book.number(key).map(WorkBars.grouped) ?? "")
                }
                return [
                    Piece(text: book.text("name")),
                    Piece(text: state, look: state == "idle" ? .good : state == "held" ? .bad : .warning),
                ] + numbers + [.faint(book.text("directory"))]
            }
        )
    }

    private static func head(_ status: JSONValue, _ needs: [Need], _ page: inout Page) {
        let port = status.text("listening")
        let facts =
            "  \(status.text("version"))  up \(Moment.duration(status.number("uptime") ?? 0))  "
            + (port.isEmpty ? "not listening" : "port \(port)")
        let open = needs.count(where: \.isOpen)
        let call = open == 0 ? "" : "  \(open) \(open == 1 ? "thing needs" : "things need") you"
        page.line(pieces: [.strong(status.text("name")), sync(status), .bad(call), .faint(facts)])
    }

    private static func sync(_ status: JSONValue) -> Piece {
        let peers = status.list("peers")
        if peers.isEmpty { return "  no peers" }
        if status.isTrue("inSync") { return .good("  in sync") }
        let connected = peers.count { $0.text("state") == "connected" }
        return .warning("  not in sync (\(connected) of \(peers.count) peers)")
    }
}
