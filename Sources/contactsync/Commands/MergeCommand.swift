extension Command {
    static let merge = Command(
        name: "merge",
        arguments: [.book, .eachWho, .eachWho],
        options: [Option(name: "preview")],
        summary: "says that two are one person; --preview only shows the result",
        action: .ask(show: Outcome.show)
    )
}
