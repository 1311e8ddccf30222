import JSON

extension Command {
    static let conflicts = Command(
        name: "conflicts",
        arguments: [.book],
        summary: "values that were written at the same time, with the ones that are kept but not shown",
        action: .ask(show: { conflicts, page in
            for (at, conflict) in (conflicts.array ?? []).enumerated() {
                if at > 0 { page.line() }
                page.line("\(Persons.name(conflict))  \(conflict.text("uid"))  \(conflict.text("field"))")
                page.line("  shown: \(conflict.text("shown"))")
                page.table(
                    [.text("  VALUE ID"), .text("VALUE"), .text("TIME"), .text("SESSION")],
                    conflict.list("others").map { other in
                        [
                            "  " + other.text("id"), other.text("value"), Moment.shown(other.text("time")),
                            other.text("session"),
                        ]
                    }
                )
            }
        })
    )
}
