import Config
import JSON

extension Command {
    static let events = Command(
        name: "events",
        options: [
            Option(
                name: "since",
                kind: .text,
                value: "TIME|ID",
                summary: "goes back: so long, such as 2h, to a time, or to an event"
            ), Option(name: "once", summary: "ends after what is known"),
        ],
        summary:
            "what happens, one JSON object a line, until it is interrupted; --once ends after what is known",
        patience: nil,
        action: .local(showEvents)
    )

    private static func showEvents(
        _ invocation: Invocation,
        _ surroundings: Surroundings
    ) throws(Failure) -> ExitCode {
        var connection = try DaemonConnection.open(path: surroundings.configuration(of: invocation).socket)
        var last = ""
        let isOnce = invocation.parameters["once"] != nil
        try connection.follow("events", invocation.parameters) { message in
            if message.at("method") == "event" {
                let event = message.at("params")
                Output.result(event, json: true) { _, _ in }
                last = event.number("id").map(String.init) ?? last
                return true
            }
            return !isOnce
        } lost: {
            let again = last.isEmpty ? "" : " --since \(last)"
            return Failure(
                .notRunning,
                "contactsyncd has ended. When it runs again, go on with `contactsync events\(again)`"
            )
        }
        return .done
    }
}
