import Config

/// The manual pages, by file name.
enum ManPages {
    static var all: [(name: String, text: String)] {
        [("contactsync.1", command), ("contactsyncd.8", daemon), ("contactsync.toml.5", configuration)]
    }

    private static let files = [
        (
            "~/.config/contactsync/config.toml",
            "The user's configuration; in $XDG_CONFIG_HOME where that is set."
        ),
        ("/etc/contactsync/config.toml", "The machine's, where the user has none."),
    ]

    private static var command: String {
        var page = ManPage("contactsync", section: 1, about: "ask and steer contactsyncd")
        page.section("SYNOPSIS")
        page.line("contactsync [--config FILE] COMMAND [--json]")
        page.section("DESCRIPTION")
        page.line(
            "contactsyncd(8) keeps address books the same on several machines. contactsync asks it who is in them, changes them, and says what needs a person; what it shows names the command that settles it."
        )
        page.section("OPTIONS")
        for option in Usage.options { page.item(option.words, sentence(option.about)) }
        page.section("COMMANDS")
        for command in Command.all {
            page.item(Usage.words(command), sentence(command.summary))
            page.items(
                command.options.filter { !$0.summary.isEmpty }.map {
                    ($0.kind == .flag ? "--\($0.name)" : "--\($0.name) \($0.value)", sentence($0.summary))
                }
            )
        }
        page.section("WORDS")
        for (word, meaning) in Usage.meanings { page.item(word, meaning) }
        page.section("EXIT STATUS")
        for (code, meaning) in Usage.exits { page.item(code, meaning) }
        page.section("FILES")
        for (file, meaning) in files { page.item(file, meaning) }
        page.section("EXAMPLES")
        page.line("What needs me, and what do I type?")
        page.typed(["contactsync status"])
        page.paragraph("Who is calling? Any notation will do.")
        page.typed(["contactsync lookup 030 23125001"])
        page.paragraph("Wait until all machines hold the same, in a script:")
        page.typed(["contactsync sync --timeout 60 || contactsync doctor"])
        page.section("SEE ALSO")
        page.line("contactsync.toml(5), contactsyncd(8)")
        return page.text
    }

    private static var daemon: String {
        var page = ManPage(
            "contactsyncd",
            section: 8,
            about: "keep address books the same on several machines"
        )
        page.section("SYNOPSIS")
        page.line("contactsyncd " + ProgramOption.daemon.map { "[\($0.words)]" }.joined(separator: " "))
        page.section("DESCRIPTION")
        page.line(
            "contactsyncd watches directories of contact files and keeps each the same as on the peers that share it. What is added, changed or deleted on one machine is there on the others a moment later, and two entries for one phone number become one contact. There is no server, and no machine is special."
        )
        page.paragraph(
            "It runs in the foreground and logs to standard error. Connections are TLS 1.3 between machines that list each other's device ID; anyone else is refused."
        )
        page.section("OPTIONS")
        for option in ProgramOption.daemon { page.item(option.words, sentence(option.about)) }
        page.section("SIGNALS")
        page.item("SIGHUP", "Reads the configuration again.")
        page.item("SIGTERM, SIGINT", "End it, with everything stored.")
        page.section("EXIT STATUS")
        page.item("0", "It ended as it was told to, or nothing is wrong.")
        page.item("1", "It could not start, or --check found something.")
        page.item("2", "The command line is wrong.")
        page.section("FILES")
        for (file, meaning) in files { page.item(file, meaning) }
        page.item("~/.local/state/contactsync", "The key, the database and the trash.")
        page.section("SEE ALSO")
        page.line("contactsync(1), contactsync.toml(5)")
        return page.text
    }

    private static var configuration: String {
        var page = ManPage("contactsync.toml", section: 5, about: "configuration of contactsyncd")
        page.section("DESCRIPTION")
        page.line(
            "contactsyncd(8) and contactsync(1) read the file that --config names, else the first of these that exists:"
        )
        for (file, meaning) in files { page.item(file, meaning) }
        page.paragraph(
            "It is TOML. A key that is not known is an error. contactsyncd --check says what is wrong, with its line and what to type."
        )
        for (heading, keys) in ConfigKey.tables {
            page.section(heading.isEmpty ? "KEYS OF THE MACHINE" : "KEYS OF " + ManPage.escaped(heading))
            for key in keys {
                let standard = key.standard.map { " Default: \($0)." } ?? " It must be there."
                page.item("\(key.name) = \(key.example)", key.about + standard)
            }
        }
        page.section("EXAMPLE")
        page.line("A machine with one book, and one other machine that shares it:")
        page.typed(
            Configuration.sample.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        )
        page.section("SEE ALSO")
        page.line("contactsync(1), contactsyncd(8)")
        return page.text
    }

    /// A summary as a sentence.
    private static func sentence(_ summary: String) -> String {
        summary.prefix(1).uppercased() + summary.dropFirst() + (summary.hasSuffix(".") ? "" : ".")
    }
}
