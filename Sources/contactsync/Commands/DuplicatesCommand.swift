import JSON

extension Command {
    static let duplicates = Command(
        name: "duplicates",
        arguments: [.book],
        summary: "who shares a number and is not merged, and why not",
        action: .ask(show: { groups, page in
            for (at, group) in (groups.array ?? []).enumerated() {
                if at > 0 { page.line() }
                page.line("\(group.text("key"))  not merged: \(group.text("reason"))")
                page.fields(group.list("persons").map { (Persons.name($0), $0.text("uid")) })
            }
        })
    )
}
