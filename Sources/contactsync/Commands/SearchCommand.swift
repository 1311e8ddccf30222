import JSON

extension Command {
    static let search = Command(
        name: "search",
        arguments: [Argument(name: "TEXT", parameter: "text", kind: .words)],
        summary: "persons whose card holds this text, in all books; exit 1 if none",
        action: .ask(show: Persons.table, judge: { $0.array?.isEmpty == false ? .done : .no })
    )
}
