import JSON

/// What is said about a deed: nothing if nothing is new, as scripts expect.
enum Outcome {
    /// Shows the person or the uid that came of it, or the daemon's sentence.
    static func show(_ result: JSONValue, _ page: inout Page) {
        if !result.at("card").isNull {
            Persons.detail(result, &page)
        } else if !result.text("message").isEmpty {
            page.line(result.text("message"))
        } else if !result.text("uid").isEmpty {
            page.line(result.text("uid"))
        }
    }
}
