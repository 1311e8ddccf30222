import Config
import JSON

/// The words of a command line, sorted into what they are.
struct CommandWords {
    private(set) var name: String?
    /// The words without `--` that follow the name.
    private(set) var words: [String] = []
    private(set) var json = false
    private(set) var config: String?
    private(set) var wantsHelp = false
    private(set) var wantsVersion = false
    private var options = JSONObject()

    /// Sorts all words; the meaning of an option depends on the command, so that is found on the way.
    mutating func read(_ all: [String]) throws(Failure) {
        var rest = all[...]
        var onlyWords = false
        while let word = rest.popFirst() {
            if onlyWords || !word.hasPrefix("-") || word == "-" {
                take(word)
            } else if word == "--" {
                onlyWords = true
            } else {
                try readOption(word, &rest)
            }
        }
    }

    /// The command of a name, or the nearest one in the error.
    static func command(_ name: String) throws(Failure) -> Command {
        if let command = Command.named(name) { return command }
        let hint =
            EditDistance.nearest(to: name, in: Command.all.map(\.name)).map { " Did you mean `\($0)`?" } ?? ""
        throw Failure(.usage, "there is no command `\(name)`.\(hint) `contactsync --help` lists them all")
    }

    /// What the daemon is asked with.
    func parameters(of command: Command) throws(Failure) -> JSONObject {
        var (parameters, rest) = (JSONObject(), words[...])
        func wrong(_ what: String) -> Failure {
            Failure(.usage, "\(what)\nusage: contactsync \(Usage.words(command))")
        }
        for argument in command.arguments {
            guard let word = rest.popFirst() else {
                if argument.isOptional { break }
                throw wrong("\(argument.name) is missing")
            }
            switch argument.kind {
            case .one where command.arguments.count { $0.parameter == argument.parameter } > 1:
                parameters[argument.parameter] = .array(
                    (parameters[argument.parameter]?.array ?? []) + [.string(word)]
                )
            case .one: parameters[argument.parameter] = .string(word)
            case .words:
                parameters[argument.parameter] = .string(([word] + rest).joined(separator: " "))
                rest = []
            case .many:
                parameters[argument.parameter] = .array(([word] + rest).map { .string($0) })
                rest = []
            }
        }
        if let extra = rest.first {
            throw wrong("`\(extra)` is one word too many; quote names of several words")
        }
        for option in command.options where option.isRequired && options[option.name] == nil {
            throw wrong("--\(option.name) is missing")
        }
        if command.takesOneOption, options.count != 1 {
            throw wrong(
                "exactly one of \(command.options.map { "--" + $0.name }.joined(separator: ", ")) is needed"
            )
        }
        for option in options { parameters[option.key] = option.value }
        return parameters
    }

    private mutating func take(_ word: String) {
        if name == nil { name = word } else { words.append(word) }
    }

    private mutating func readOption(_ word: String, _ rest: inout ArraySlice<String>) throws(Failure) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init
        )
        let (option, joined) = (parts[0], parts.count > 1 ? parts[1] : nil)
        func value() throws(Failure) -> String {
            guard let value = joined ?? rest.popFirst() else {
                throw Failure(.usage, "\(option) needs a value after it; write one")
            }
            return value
        }
        switch option {
        case "--config": config = try value()
        case "--json" where joined == nil: json = true
        case "--help" where joined == nil, "-h" where joined == nil: wantsHelp = true
        case "--version" where joined == nil && name == nil: wantsVersion = true
        default:
            guard let name else {
                throw Failure(.usage, "\(option) stands before the command; put it behind")
            }
            let command = try Self.command(name)
            guard let known = command.options.first(where: { "--" + $0.name == option }) else {
                throw Failure(
                    .usage,
                    "`\(name)` has no option \(option)\nusage: contactsync \(Usage.words(command))"
                )
            }
            guard options[known.name] == nil || known.kind == .texts else {
                throw Failure(.usage, "\(option) stands there twice; leave one")
            }
            switch known.kind {
            case .flag where joined == nil: options[known.name] = true
            case .flag: throw Failure(.usage, "\(option) takes no value; leave it away")
            case .text: options[known.name] = .string(try value())
            case .texts:
                options[known.name] = .array(
                    (options[known.name]?.array ?? []) + [.string(try value())]
                )
            case .seconds: options[known.name] = try Self.seconds(try value(), option)
            }
        }
    }

    private static func seconds(_ text: String, _ option: String) throws(Failure) -> JSONValue {
        let limit = 31_536_000.0  // a year
        guard text.utf8.first.map({ (0x30...0x39).contains($0) || $0 == 0x2E }) == true,
            let seconds = Double(text),
            seconds <= limit
        else { throw Failure(.usage, "\(option) \(text) is no number of seconds; write one such as 30") }
        return seconds == seconds.rounded() ? .number(Int(seconds)) : .number(String(seconds))
    }
}
