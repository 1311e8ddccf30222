extension Command {
    static let remove = Command(
        name: "remove",
        arguments: [.book, .who],
        summary: "deletes a person on all machines; `restore` takes it back",
        action: .ask(show: Outcome.show)
    )
}
