import Config
import JSON

extension Command {
    /// For the completions of shells: the words of a kind, a line each. It says nothing of errors, and waits for nobody.
    static let complete = Command(
        name: "complete",
        arguments: [Argument(name: "KIND", parameter: "kind")],
        summary: "prints the names that a shell completes: BOOK, PEER or COMMAND",
        action: .local { invocation, surroundings throws(Failure) in
            let words: [String]
            switch invocation.parameters["kind"]?.string {
            case "BOOK": words = try surroundings.configuration(of: invocation).books.map(\.name)
            case "PEER":
                let configuration = try surroundings.configuration(of: invocation)
                words = (try? peers(at: configuration.socket)) ?? configuration.peers.map(\.name)
            case "COMMAND": words = Command.all.map(\.name)
            default: words = []
            }
            Output.text(words.map { Escaping.escaped($0) + "\n" }.joined())
            return .done
        }
    )

    /// The peers that the daemon knows: those that were paired stand in no configuration.
    private static func peers(at socket: String) throws(Failure) -> [String] {
        let patience = 1
        var connection = try DaemonConnection.open(path: socket)
        try connection.put("status", JSONObject())
        return try connection.answer(to: "status", patience: patience).list("peers").map { $0.text("name") }
    }
}
