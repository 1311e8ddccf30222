import JSON

extension Command {
    static let show = Command(
        name: "show",
        arguments: [.book, .who],
        options: [Option(name: "sources", summary: "adds its records and who wrote what")],
        summary: "one person; --sources adds its records and who wrote what",
        action: .ask(show: { person, page in
            Persons.detail(person, &page)
            for source in person.list("sources") {
                page.line()
                page.line("record \(source.text("uid"))")
                let fields = (source.at("fields").object ?? JSONObject()).map { ($0.key, $0.value.plain) }
                page.fields([("file", source.text("file")), ("device", source.text("device"))] + fields)
            }
        })
    )
}
