import JSON

extension Command {
    static let lookup = Command(
        name: "lookup",
        arguments: [Argument(name: "NUMBER", parameter: "number", kind: .words)],
        summary: "who has this number, in all books; exit 1 if nobody",
        action: .ask(show: Persons.table, judge: { $0.array?.isEmpty == false ? .done : .no })
    )
}
