import JSON

extension Command {
    static let history = Command(
        name: "history",
        arguments: [.book, .who],
        summary: "what this machine wrote or took in about a person",
        action: .ask(show: { entries, page in
            page.table(
                [.text("TIME"), .text("WHAT"), .text("FIELDS"), .text("ORIGIN"), .text("SESSION")],
                (entries.array ?? []).map { entry in
                    [
                        Moment.shown(entry.text("time")), entry.text("what"),
                        entry.list("fields").map(\.plain).joined(separator: ", "), entry.text("origin"),
                        entry.text("session"),
                    ]
                }
            )
        })
    )
}
