extension Command {
    static let distinct = Command(
        name: "distinct",
        arguments: [.book, .eachWho, .eachWho],
        summary: "says that two are not one person",
        action: .ask(show: Outcome.show)
    )
}
