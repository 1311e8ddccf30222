import Config

/// What `--help` says; made from the table, so it is never out of date.
enum Usage {
    static let version = "contactsync \(Product.version)\n"

    /// What each command takes.
    static let options = [
        ProgramOption.config,
        ProgramOption("json", "", "prints the result as one line of JSON, for scripts; its shape is stable"),
        ProgramOption("help", "", "prints what the command takes; without a command, all of them"),
        ProgramOption("version", "", "prints the version"),
    ]

    /// What the words of commands mean.
    static let meanings = [
        ("BOOK", "a book's name"), ("WHO", "a uid, a name, or a number in any notation"),
        ("UID", "a uid, as list prints it"),
    ]

    static let exits = [
        ("0", "done or yes"), ("1", "no or not found"), ("2", "usage"), ("3", "contactsyncd is not running"),
        ("4", "refused"),
    ]

    static var all: String {
        let lines = Command.all.map { command in (words(command), command.summary) }
        // A line of the list that is longer than this has its summary below.
        let width = 36
        var text = """
            contactsync asks and steers contactsyncd, which keeps address books the same on several machines.

            usage: contactsync [--config FILE] COMMAND [--json]


            """
        for (words, summary) in lines {
            let blanks = String(repeating: " ", count: max(0, width - words.count))
            let gap = words.count > width ? "\n" + String(repeating: " ", count: width + 4) : "  " + blanks
            text += "  \(words)\(gap)\(summary)\n"
        }
        return text + """

            \(meanings.map { "\($0) is \($1)." }.joined(separator: " "))
            --json prints the result as one line of JSON. contactsync COMMAND --help says more of one.
            Exit codes: \(exits.map { "\($0) \($1)" }.joined(separator: ", ")).

            """
    }

    static func of(_ command: Command) -> String {
        let options = command.options.filter { !$0.summary.isEmpty }.map { option in
            (option.kind == .flag ? "--\(option.name)" : "--\(option.name) \(option.value)", option.summary)
        }
        let width = options.map(\.0.count).max() ?? 0
        let lines = options.map { words, summary in
            "  \(words)\(String(repeating: " ", count: width - words.count))  \(summary)\n"
        }
        return "usage: contactsync [--config FILE] \(words(command)) [--json]\n\n\(command.summary)\n"
            + (lines.isEmpty ? "" : "\n" + lines.joined())
    }

    /// A command with its arguments and options.
    static func words(_ command: Command) -> String {
        let arguments = command.arguments.map { argument in
            let name = argument.kind == .many ? argument.name + "…" : argument.name
            return argument.isOptional ? "[\(name)]" : name
        }
        let options = command.options.map { option in
            let value = option.kind == .texts ? option.value + "…" : option.value
            let words = option.kind == .flag ? "--\(option.name)" : "--\(option.name) \(value)"
            return option.isRequired || command.takesOneOption ? words : "[\(words)]"
        }
        let separator = command.takesOneOption ? " | " : " "
        let all = [command.name] + arguments + (options.isEmpty ? [] : [options.joined(separator: separator)])
        return all.joined(separator: " ")
    }
}
