extension Command {
    static let shared = Command(
        name: "shared",
        arguments: [.book, Argument(name: "NUMBER", parameter: "number", kind: .words)],
        options: [Option(name: "not", summary: "it is somebody's after all")],
        summary: "says that a number is nobody's own, or with --not that it is somebody's",
        action: .ask(show: Outcome.show)
    )
}
