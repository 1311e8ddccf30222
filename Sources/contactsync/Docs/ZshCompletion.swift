import Config

/// Completion for zsh (zshcompsys(1)).
enum ZshCompletion {
    static var command: String {
        let commands = Command.all.map { "        \(quoted("\($0.name):\($0.summary)"))\n" }.joined()
        let cases = Command.all.map { command in
            let options = Completions.options(of: command).map(option)
            let arguments = command.arguments.enumerated().map { at, argument in
                let place = argument.kind == .one ? "\(at + 1)" : "*"
                return quoted("\(place):\(argument.name):\(action(argument.name))")
            }
            return "        \(command.name)) _arguments \((options + arguments).joined(separator: " ")) ;;\n"
        }
        let global = Usage.options.map { option((name: $0.name, value: $0.value, about: $0.about)) }
        return """
            #compdef contactsync
            # Made from the table of commands of contactsync.

            # What contactsync itself knows: names of books, peers and commands.
            _contactsync_names() {
                local -a names config
                config=(${opt_args[--config]:+--config ${(Q)opt_args[--config]}})
                names=(${(f)"$(contactsync $config complete $1 2>/dev/null)"})
                compadd -a names
            }

            _contactsync() {
                local context state line
                typeset -A opt_args
                local -a commands=(
            \(commands)    )
                _arguments -C \(global.joined(separator: " ")) '1:command:->command' '*::argument:->argument'
                case $state in
                command) _describe command commands ;;
                argument)
                    case $words[1] in
            \(cases.joined())        help) _contactsync_names COMMAND ;;
                    esac
                    ;;
                esac
            }

            _contactsync "$@"

            """
    }

    static var daemon: String {
        let options = ProgramOption.daemon.map { option((name: $0.name, value: $0.value, about: $0.about)) }
        return """
            #compdef contactsyncd
            # Made from the table of options of contactsyncd.

            _arguments \(options.joined(separator: " "))

            """
    }

    private static func option(_ option: (name: String, value: String, about: String)) -> String {
        let about = option.about.replacing("[", with: "\\[").replacing("]", with: "\\]")
        let value = option.value.isEmpty ? "" : ":\(option.value):\(action(option.value))"
        return quoted("--\(option.name)[\(about.replacing(":", with: "\\:"))]\(value)")
    }

    private static func action(_ word: String) -> String {
        switch Completions.source(of: word) {
        case .files: "_files"
        case .directories: "_files -/"
        case .names(let kind): "_contactsync_names \(kind)"
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .nothing: ""
        }
    }

    private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
