extension Command {
    static let rescan = Command(
        name: "rescan",
        arguments: [.book],
        summary: "looks at every file of a book now",
        patience: nil,
        action: .ask(show: Outcome.show)
    )
}
