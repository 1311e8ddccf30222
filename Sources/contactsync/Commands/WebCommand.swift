import JSON

extension Command {
    static let web = Command(
        name: "web",
        summary:
            "the link of a page to look at: books, peers, duplicates, conflicts and history, for reading",
        action: .ask(show: { result, page in page.line(result.text("link")) })
    )
}
