extension Command {
    static let add = Command(
        name: "add",
        arguments: [.book],
        options: [
            Option(name: "name", kind: .text, value: "N", isRequired: true),
            Option(name: "phone", kind: .text, value: "P", isRequired: true),
            Option(name: "email", kind: .text, value: "E"),
        ],
        summary: "adds a contact and prints its uid",
        action: .ask(show: Outcome.show)
    )
}
