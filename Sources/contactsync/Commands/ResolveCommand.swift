extension Command {
    static let resolve = Command(
        name: "resolve",
        arguments: [
            .book, Argument(name: "UID", parameter: "who"), Argument(name: "FIELD", parameter: "field"),
            Argument(name: "VALUE", parameter: "value", kind: .words),
        ],
        summary: "settles a conflict with a value, or with the ID that `conflicts` gives it",
        action: .ask(show: Outcome.show)
    )
}
