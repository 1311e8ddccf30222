import Config

/// Completion for bash (bash(1), "Programmable Completion"); needs no other package.
enum BashCompletion {
    static var command: String {
        var valued: [String] = []
        var cases = ""
        for command in Command.all {
            let options = Completions.options(of: command)
            valued += options.filter { !$0.value.isEmpty }.map { "\(command.name):--\($0.name)" }
            let words = options.map { "--\($0.name)" }.joined(separator: " ")
            let arguments = command.arguments.map(\.name).joined(separator: " ")
            let isOpen = command.arguments.last.map { $0.kind != .one } ?? false
            cases +=
                "    \(command.name)) options=\"\(words)\" arguments=(\(arguments)) open=\(isOpen ? 1 : 0) ;;\n"
        }
        let files = Command.all.flatMap { command in
            command.options.filter { $0.value == "FILE" }.map { "\(command.name):--\($0.name)" }
        }
        let global = Usage.options.map { "--\($0.name)" }.joined(separator: " ")
        return """
            # bash completion of contactsync; made from its table of commands.

            # Takes the lines of its input that begin with what was typed; a shell evaluates none of them.
            _contactsync_take() {
                local line
                while IFS= read -r line; do
                    [[ $line == "$cur"* ]] && COMPREPLY+=("$(printf %q "$line")")
                done
            }

            _contactsync() {
                local cur=${COMP_WORDS[COMP_CWORD]} last= command= word kind i at=0 open=0 options=
                local -a config=() arguments=()
                COMPREPLY=()
                for ((i = 1; i < COMP_CWORD; i++)); do
                    word=${COMP_WORDS[i]} last=
                    case $command:$word in
                    *:--config)
                        last=file
                        ((i + 1 < COMP_CWORD)) && config=(--config "${COMP_WORDS[i + 1]}") last=
                        ((i++))
                        ;;
            \(pattern(files, "last=file; ((i + 1 < COMP_CWORD)) && last=; ((i++))"))
            \(pattern(valued.filter { !files.contains($0) }, "last=value; ((i + 1 < COMP_CWORD)) && last=; ((i++))"))
                    *:-*) ;;
                    :*) command=$word ;;
                    *) ((at++)) ;;
                    esac
                done
                case $last in
                file)
                    compopt -o filenames 2>/dev/null
                    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$cur")
                    return
                    ;;
                value) return ;;
                esac
                case $command in
                "")
                    options="\(global)"
                    [[ $cur != -* ]] && options="\(Command.all.map(\.name).joined(separator: " ")) help"
                    ;;
                help) arguments=(COMMAND) ;;
            \(cases.dropLast())
                esac
                if [[ -z $command || $cur == -* ]]; then
                    COMPREPLY=($(compgen -W "$options" -- "$cur"))
                    return
                fi
                if ((at < ${#arguments[@]})); then
                    kind=${arguments[at]}
                elif ((open && ${#arguments[@]})); then
                    kind=${arguments[${#arguments[@]} - 1]}
                fi
                case $kind in
                FILE | PATH | DIRECTORY)
                    compopt -o filenames 2>/dev/null
                    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$cur")
                    ;;
                BOOK | PEER | COMMAND)
                    _contactsync_take < <("${COMP_WORDS[0]}" "${config[@]}" complete "$kind" 2>/dev/null)
                    ;;
                esac
            }

            complete -F _contactsync contactsync

            """
    }

    static var daemon: String {
        let words = ProgramOption.daemon.map { "--\($0.name)" }.joined(separator: " ")
        return """
            # bash completion of contactsyncd; made from its table of options.

            _contactsyncd() {
                local cur=${COMP_WORDS[COMP_CWORD]} word
                COMPREPLY=()
                if [[ ${COMP_WORDS[COMP_CWORD - 1]} == --config ]]; then
                    compopt -o filenames 2>/dev/null
                    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$cur")
                else
                    COMPREPLY=($(compgen -W "\(words)" -- "$cur"))
                fi
            }

            complete -F _contactsyncd contactsyncd

            """
    }

    private static func pattern(_ words: [String], _ body: String) -> String {
        words.isEmpty
            ? "        # none of the commands has such an option"
            : "        \(words.joined(separator: " | "))) \(body) ;;"
    }
}
