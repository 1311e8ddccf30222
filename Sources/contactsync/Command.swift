import JSON

/// One subcommand: what it takes, what it does, how its result is shown.
struct Command: Sendable {
    /// A word that stands without a name.
    struct Argument: Sendable {
        enum Kind {
            /// One word.
            case one
            /// All the words that are left, joined by blanks: names and numbers need no quotes.
            case words
            /// One or more words, sent as an array.
            case many
        }

        /// As the usage shows it, such as `BOOK`.
        let name: String
        /// The member of the parameters; arguments with the same one become an array.
        let parameter: String
        var kind = Kind.one
        /// Whether it may be missing; only the last may.
        var isOptional = false

        static let book = Argument(name: "BOOK", parameter: "book")
        static let who = Argument(name: "WHO", parameter: "who", kind: .words)
        static let eachWho = Argument(name: "WHO", parameter: "who")
    }

    /// A word that begins with `--`.
    struct Option: Sendable {
        enum Kind {
            case flag
            case text
            /// May stand there several times; sent as an array.
            case texts
            /// Seconds, not negative.
            case seconds
        }

        let name: String
        var kind = Kind.flag
        /// As the usage shows the value, such as `N`.
        var value = ""
        var isRequired = false
        /// What it does, in a few words.
        var summary = ""
    }

    /// What happens.
    enum Action: Sendable {
        /// Something that needs no daemon, or more than one question.
        case local(@Sendable (Invocation, Surroundings) throws(Failure) -> ExitCode)
        /// One question to the daemon, the layout of its result for people, and the exit code it means.
        case ask(
            show: @Sendable (JSONValue, inout Page) -> Void,
            judge: @Sendable (JSONValue) -> ExitCode = { _ in .done }
        )
    }

    /// Also the method that the daemon knows.
    let name: String
    var arguments: [Argument] = []
    var options: [Option] = []
    /// Whether exactly one of the options must be there.
    var takesOneOption = false
    /// One line for the list of commands.
    let summary: String
    /// Seconds to wait for an answer; nil for commands that wait for the world.
    var patience: Int? = 120
    let action: Action
}
