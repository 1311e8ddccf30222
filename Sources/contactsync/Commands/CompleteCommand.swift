import Config
import JSON

extension Command {
    /// For the completions of shells: the words of a kind, a line each. It asks no daemon, and says nothing of errors.
    static let complete = Command(
        name: "complete",
        arguments: [Argument(name: "KIND", parameter: "kind")],
        summary: "prints the names that a shell completes: BOOK, PEER or COMMAND",
        action: .local { invocation, surroundings throws(Failure) in
            let words: [String]
            switch invocation.parameters["kind"]?.string {
            case "BOOK": words = try surroundings.configuration(of: invocation).books.map(\.name)
            case "PEER": words = try surroundings.configuration(of: invocation).peers.map(\.name)
            case "COMMAND": words = Command.all.map(\.name)
            default: words = []
            }
            Output.text(words.map { Escaping.escaped($0) + "\n" }.joined())
            return .done
        }
    )
}
