import Config

/// What the completions of all shells are made of.
enum Completions {
    /// By path below the directory of completions.
    static var all: [(name: String, text: String)] {
        [
            ("bash/contactsync", BashCompletion.command), ("bash/contactsyncd", BashCompletion.daemon),
            ("zsh/_contactsync", ZshCompletion.command), ("zsh/_contactsyncd", ZshCompletion.daemon),
            ("fish/contactsync.fish", FishCompletion.command),
            ("fish/contactsyncd.fish", FishCompletion.daemon),
        ]
    }

    /// What can be completed for words of this name.
    enum Source {
        case files, directories
        /// What `contactsync complete` prints for it.
        case names(String)
        case words([String])
        case nothing
    }

    static func source(of word: String) -> Source {
        switch word {
        case "FILE", "PATH": .files
        case "DIRECTORY": .directories
        case "BOOK", "PEER", "COMMAND": .names(word)
        // Such as `vcard4|vcard3`.
        case let words where words.contains("|") && words == words.lowercased():
            .words(words.split(separator: "|").map(String.init))
        default: .nothing
        }
    }

    /// The options of a command, those that each has included.
    static func options(of command: Command) -> [(name: String, value: String, about: String)] {
        command.options.map {
            ($0.name, $0.kind == .flag ? "" : $0.value, $0.summary.isEmpty ? $0.value : $0.summary)
        }
            + [("json", "", "prints one line of JSON"), ("help", "", "prints what the command takes")]
    }
}
