import JSON

/// A command line that was understood.
struct Invocation {
    /// What a command line asks for.
    enum Request {
        case help(Command?)
        case version
        case run(Invocation)
    }

    let command: Command
    /// What the daemon is asked with.
    var parameters: JSONObject
    /// Whether the result is for a script.
    var json: Bool
    /// The configuration file that was named.
    var config: String?

    /// Understands the words after the program's name; throws what is wrong with them and how to put it right.
    static func parse(_ words: [String]) throws(Failure) -> Request {
        var line = CommandWords()
        try line.read(words)
        if line.wantsVersion { return .version }
        guard let name = line.name else {
            if line.wantsHelp { return .help(nil) }
            throw Failure(.usage, "which command? `contactsync --help` lists them")
        }
        if name == "version" { return .version }
        if name == "help" { return .help(try line.words.first.map(CommandWords.command)) }
        let command = try CommandWords.command(name)
        if line.wantsHelp { return .help(command) }
        return .run(
            Invocation(
                command: command,
                parameters: try line.parameters(of: command),
                json: line.json,
                config: line.config
            )
        )
    }
}
