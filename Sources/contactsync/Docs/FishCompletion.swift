import Config

/// Completion for fish (fish's `complete`).
enum FishCompletion {
    static var command: String {
        var text = """
            # fish completion of contactsync; made from its table of commands.

            # What contactsync itself knows: names of books, peers and commands.
            function __contactsync_names
                set -l config
                set -l words (commandline -opc)
                if set -l at (contains -i -- --config $words)
                    set config --config $words[(math $at + 1)]
                end
                contactsync $config complete $argv[1] 2>/dev/null
            end

            # Whether the command is yet to come; the file behind --config is none.
            function __contactsync_has_no_command
                set -l words (commandline -opc)
                set -e words[1]
                while set -q words[1]
                    switch $words[1]
                        case --config
                            set -e words[1]
                        case '-*'
                        case '*'
                            return 1
                    end
                    set -e words[1]
                end
                return 0
            end

            complete -c contactsync -f

            """
        for option in Usage.options {
            text += line(when: "", option: (option.name, option.value, option.about))
        }
        for command in Command.all {
            text +=
                "complete -c contactsync -n __contactsync_has_no_command -a \(command.name) -d \(quoted(command.summary))\n"
        }
        for command in Command.all {
            let condition = "-n '__fish_seen_subcommand_from \(command.name)' "
            for option in Completions.options(of: command) { text += line(when: condition, option: option) }
            for word in Set(command.arguments.map(\.name)).sorted() {
                switch Completions.source(of: word) {
                case .files: text += "complete -c contactsync \(condition)-F\n"
                case .directories:
                    text += "complete -c contactsync \(condition)-a '(__fish_complete_directories)'\n"
                case .names(let kind):
                    text += "complete -c contactsync \(condition)-a '(__contactsync_names \(kind))'\n"
                case .words, .nothing: break
                }
            }
        }
        return text
    }

    static var daemon: String {
        "# fish completion of contactsyncd; made from its table of options.\n\ncomplete -c contactsyncd -f\n"
            + ProgramOption.daemon.map {
                line(when: "", option: ($0.name, $0.value, $0.about), of: "contactsyncd")
            }.joined()
    }

    private static func line(
        when condition: String,
        option: (name: String, value: String, about: String),
        of program: String = "contactsync"
    ) -> String {
        let value =
            switch Completions.source(of: option.value) {
            case .files: " -r -F"
            case .directories: " -x -a '(__fish_complete_directories)'"
            case .names(let kind): " -x -a '(__contactsync_names \(kind))'"
            case .words(let words): " -x -a '\(words.joined(separator: " "))'"
            case .nothing: option.value.isEmpty ? "" : " -x"
            }
        return "complete -c \(program) \(condition)-l \(option.name)\(value) -d \(quoted(option.about))\n"
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
