import JSON

extension Command {
    static let trash = Command(
        name: "trash",
        arguments: [.book],
        summary: "deleted persons that can be restored",
        action: .ask(show: { persons, page in
            page.table(
                [.short("NAME"), .text("DELETED"), .text("SESSION"), .text("UID")],
                (persons.array ?? []).map { person in
                    [
                        Persons.name(person), Moment.shown(person.text("deleted")), person.text("session"),
                        person.text("uid"),
                    ]
                }
            )
        })
    )
}
