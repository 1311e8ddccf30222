extension Command {
    static let restore = Command(
        name: "restore",
        arguments: [.book, .who],
        summary: "takes a deletion back, on all machines",
        action: .ask(show: Outcome.show)
    )
}
