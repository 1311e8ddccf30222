extension Command {
    static let add = Command(
        name: "add",
        arguments: [.book],
        options: [
            Option(name: "name", kind: .text, value: "N", isRequired: true, summary: "its name"),
            Option(
                name: "phone",
                kind: .text,
                value: "P",
                isRequired: true,
                summary: "its number, in any notation"
            ),
            Option(name: "email", kind: .text, value: "E", summary: "its address for mail"),
        ],
        summary: "adds a contact and prints its uid",
        action: .ask(show: Outcome.show)
    )
}
