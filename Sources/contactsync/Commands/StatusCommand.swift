import Glibc
import JSON

extension Command {
    static let status = Command(
        name: "status",
        options: [
            Option(
                name: "watch",
                summary: "goes on: drawn in place on a terminal, else printed with each change"
            )
        ],
        summary: "books, peers, and what needs a person; exit 0 only if all is in sync and nothing does",
        action: .local(showStatus)
    )

    private static func showStatus(
        _ invocation: Invocation,
        _ surroundings: Surroundings
    ) throws(Failure) -> ExitCode {
        var question = invocation
        question.parameters["watch"] = nil
        if invocation.parameters["watch"] == nil {
            let status = try surroundings.ask(question)
            Output.result(
                status,
                json: invocation.json,
                on: surroundings.page(for: invocation),
                StatusPage.show
            )
            return StatusPage.judge(status)
        }
        if surroundings.terminal.isScreen, !invocation.json {
            return try StatusWatch.draw(question, surroundings)
        }
        try StatusWatch.print(question, surroundings)
    }
}
