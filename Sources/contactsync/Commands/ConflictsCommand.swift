import Doctor
import JSON

extension Command {
    static let conflicts = Command(
        name: "conflicts",
        arguments: [.book],
        summary: "values that were written at the same time, with the ones that are kept but not shown",
        action: .ask(show: { conflicts, page in
            for (at, conflict) in (conflicts.array ?? []).enumerated() {
                if at > 0 { page.line() }
                show(conflict, &page)
            }
        })
    )

    /// A line a value, the shown one first, and then the commands that make one of them the one that counts.
    private static func show(_ conflict: JSONValue, _ page: inout Page) {
        page.line(pieces: [
            .strong(Persons.name(conflict)), Piece(text: "  \(conflict.text("field"))"),
            .faint("  \(conflict.text("uid"))"),
        ])
        let others = conflict.list("others")
        page.table(
            [.text("  VALUE ID"), .text("VALUE"), .text("TIME"), .text("SESSION")],
            [["  shown", text(conflict.at("shown")), "", ""]]
                + others.map { other in
                    [
                        "  " + other.text("id"), text(other.at("value")), Moment.shown(other.text("time")),
                        other.text("session"),
                    ]
                }
        )
        // A value that begins like an option stands behind `--`.
        let values =
            [(text(conflict.at("shown")), "keep what is shown")]
            + others.map { ($0.text("id"), "take \(text($0.at("value"))) instead") }
        let settle = ["resolve", page.book, conflict.text("uid"), conflict.text("field")]
        let steps = values.map { value, effect in
            let words = settle + (value.hasPrefix("-") ? ["--", value] : [value])
            return Need.Step(
                command: ([page.program] + words.map(ShellWord.quoted)).joined(separator: " "),
                effect: effect
            )
        }
        for step in steps { step.show(&page, width: steps.map { DisplayWidth.of($0.command) }.max() ?? 0) }
    }

    /// The text that people mean by a value, as `resolve` takes it.
    private static func text(_ value: JSONValue) -> String {
        let telling = ["number", "address", "note", "name", "full", "uri"]
        let member = telling.first { !value.text($0).isEmpty && value.at($0).string != nil }
        return member.map { value.text($0) } ?? value.plain
    }
}
