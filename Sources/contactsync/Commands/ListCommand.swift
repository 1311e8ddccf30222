extension Command {
    static let list = Command(
        name: "list",
        arguments: [.book],
        summary: "all persons of a book",
        action: .ask(show: Persons.table)
    )
}
