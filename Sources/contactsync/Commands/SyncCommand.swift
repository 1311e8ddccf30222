extension Command {
    static let sync = Command(
        name: "sync",
        options: [
            Option(
                name: "timeout",
                kind: .seconds,
                value: "S",
                summary: "gives up after so many seconds; without it after 30"
            )
        ],
        summary: "waits until all peers are connected and equal; exit 1, and why, if that is not so in time",
        patience: nil,
        action: .ask(
            show: { result, page in
                let reason = result.text("reason")
                page.line(result.isTrue("inSync") ? "in sync" : reason.isEmpty ? "not in sync" : reason)
            },
            judge: { $0.isTrue("inSync") ? .done : .no }
        )
    )
}
