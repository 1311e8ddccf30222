import Config

/// Completion for bash (bash(1), "Programmable Completion"); needs no other package.
enum BashCompletion {
    static var command: String {
        var (cases, values) = ("", "")
        for command in Command.all {
            let options = Completions.options(of: command)
            for option in options where !option.value.isEmpty {
                values +=
                    "        \(command.name):--\(option.name)) last=\"\(kind(of: option.value))\"; ((i++)) ;;\n"
            }
            let words = options.map { "--\($0.name)" }.joined(separator: " ")
            let arguments = command.arguments.map(\.name).joined(separator: " ")
            let isOpen = command.arguments.last.map { $0.kind != .one } ?? false
            cases +=
                "    \(command.name)) options=\"\(words)\" arguments=(\(arguments)) open=\(isOpen ? 1 : 0) ;;\n"
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
                    *:--config) last=FILE config=(--config "${COMP_WORDS[i + 1]}"); ((i++)) ;;
            \(values.dropLast())
                    *:-*) ;;
                    :*) command=$word ;;
                    *) ((at++)) ;;
                    esac
                done
                # The value of an option counts only while it is typed.
                ((i == COMP_CWORD)) && last=
                case $command in
                "")
                    options="\(global)"
                    [[ $cur != -* ]] && options="\(Command.all.map(\.name).joined(separator: " ")) help"
                    ;;
                help) arguments=(COMMAND) ;;
            \(cases.dropLast())
                esac
                if [[ -z $last && (-z $command || $cur == -*) ]]; then
                    COMPREPLY=($(compgen -W "$options" -- "$cur"))
                    return
                fi
                if [[ -n $last ]]; then
                    kind=$last
                elif ((at < ${#arguments[@]})); then
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
                *[a-z]*) COMPREPLY=($(compgen -W "$kind" -- "$cur")) ;;
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

    /// How the script names what can be completed for a value: a name in capitals, the words themselves, or `-`.
    private static func kind(of value: String) -> String {
        switch Completions.source(of: value) {
        case .files: "FILE"
        case .directories: "DIRECTORY"
        case .names(let kind): kind
        case .words(let words): words.joined(separator: " ")
        case .nothing: "-"
        }
    }
}
