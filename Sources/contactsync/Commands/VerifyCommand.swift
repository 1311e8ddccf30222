extension Command {
    static let verify = Command(
        name: "verify",
        arguments: [.book],
        summary: "compares a book with all connected peers; exit 1, and what differs, if it is not equal",
        patience: nil,
        action: .ask(
            show: { result, page in
                let differ = result.list("differ")
                if result.isTrue("equal") {
                    page.line("equal")
                } else if differ.isEmpty {
                    let reason = result.text("reason")
                    page.line(reason.isEmpty ? "not equal" : reason)
                }
                page.table(
                    [.text("PEER"), .short("NAME"), .text("UID")],
                    differ.map { [$0.text("peer"), Persons.name($0), $0.text("uid")] }
                )
            },
            judge: { $0.isTrue("equal") ? .done : .no }
        )
    )
}
