import Glibc
import JSON

extension Command {
    static let status = Command(
        name: "status",
        options: [Option(name: "watch")],
        summary: "books, peers, and what needs a person; exit 0 only if all is in sync and nothing does",
        action: .local(showStatus)
    )

    private static func showStatus(
        _ invocation: Invocation,
        _ surroundings: Surroundings
    ) throws(Failure) -> ExitCode {
        let watches = invocation.parameters["watch"] != nil
        var question = invocation
        question.parameters["watch"] = nil
        let pause: CInt = 1000  // ms between two looks
        var shown: JSONValue?
        while true {
            let status = try surroundings.ask(question)
            if withoutUptime(status) != shown {
                if shown != nil, !invocation.json { Output.text("\n") }
                Output.result(status, json: invocation.json, StatusPage.show)
                shown = withoutUptime(status)
            }
            guard watches else { return StatusPage.judge(status) }
            _ = poll(nil, 0, pause)
        }
    }

    /// What must change for `--watch` to speak again.
    private static func withoutUptime(_ status: JSONValue) -> JSONValue {
        guard var object = status.object else { return status }
        object["uptime"] = nil
        return .object(object)
    }
}
