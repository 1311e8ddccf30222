import JSON

extension Command {
    static let metrics = Command(
        name: "metrics",
        summary: "numbers for Prometheus, as text; `metrics-listen` serves them over HTTP",
        action: .ask(show: { result, page in
            for line in result.text("text").split(separator: "\n") { page.line(String(line)) }
        })
    )
}
