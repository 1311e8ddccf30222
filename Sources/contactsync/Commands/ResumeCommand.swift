extension Command {
    static let resume = Command(
        name: "resume",
        arguments: [.book],
        options: [
            Option(name: "delete", summary: "they are meant: the contacts are deleted on all machines"),
            Option(
                name: "restore",
                summary: "they are not: the contacts stay, and their files are written again"
            ),
        ],
        takesOneOption: true,
        summary: "decides about deletions that are held: they are meant, or the contacts come back",
        action: .ask(show: Outcome.show)
    )
}
