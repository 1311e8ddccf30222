extension Command {
    static let resume = Command(
        name: "resume",
        arguments: [.book],
        options: [Option(name: "delete"), Option(name: "restore")],
        takesOneOption: true,
        summary: "decides about deletions that are held: they are meant, or the contacts come back",
        action: .ask(show: Outcome.show)
    )
}
