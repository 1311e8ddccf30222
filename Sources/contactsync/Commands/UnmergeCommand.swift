extension Command {
    static let unmerge = Command(
        name: "unmerge",
        arguments: [.book, Argument(name: "UID", parameter: "who", kind: .many)],
        summary: "takes these records out of their person",
        action: .ask(show: Outcome.show)
    )
}
