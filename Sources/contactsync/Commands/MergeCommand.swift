extension Command {
    static let merge = Command(
        name: "merge",
        arguments: [.book, .eachWho, .eachWho],
        options: [Option(name: "preview", summary: "changes nothing, shows what would come of it")],
        summary: "says that two are one person; --preview only shows the result",
        action: .ask(show: Outcome.show)
    )
}
