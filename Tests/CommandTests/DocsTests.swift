import Config
import Testing

@testable import contactsync

@Suite("Manual pages and completions") struct DocsTests {
    private func page(_ name: String) throws -> String {
        try #require(ManPages.all.first { $0.name == name }?.text)
    }

    private func completion(_ name: String) throws -> [Substring] {
        try #require(Completions.all.first { $0.name == name }?.text).split(separator: "\n")
    }

    @Test("every command is on the page, with its words and its options", arguments: Command.all.map(\.name))
    func page(name: String) throws {
        let command = try #require(Command.named(name))
        let text = try page("contactsync.1")
        #expect(text.contains("\n.B \(ManPage.escaped(Usage.words(command), inMacro: true))\n"))
        for option in command.options where !option.summary.isEmpty {
            #expect(text.contains("\n.B \(ManPage.escaped("--" + option.name))"), "--\(option.name)")
        }
    }

    @Test(
        "every command and each of its options is in each shell's completion",
        arguments: Command.all.map(\.name)
    )
    func completions(name: String) throws {
        let command = try #require(Command.named(name))
        let bash = try completion("bash/contactsync").first { $0.hasPrefix("    \(name)) ") } ?? ""
        let zsh = try completion("zsh/_contactsync").first { $0.hasPrefix("        \(name)) ") } ?? ""
        let fish = try completion("fish/contactsync.fish")
        #expect(fish.contains { $0.contains("-n __contactsync_has_no_command -a \(name) ") })
        for option in command.options.map(\.name) + ["json", "help"] {
            #expect(bash.split { " \"".contains($0) }.contains("--\(option)"), "bash: --\(option)")
            #expect(zsh.contains("'--\(option)["), "zsh: --\(option)")
            #expect(
                fish.contains { $0.contains("__fish_seen_subcommand_from \(name)' -l \(option) ") },
                "fish: --\(option)"
            )
        }
        for argument in command.arguments {
            #expect(bash.contains(argument.name) && zsh.contains(":\(argument.name):"), "\(argument.name)")
        }
    }

    @Test(
        "the options of the daemon, and those that all commands have, are on their pages and in the completions"
    )
    func programs() throws {
        for (program, options) in [("contactsyncd", ProgramOption.daemon), ("contactsync", Usage.options)] {
            let text = try page(program == "contactsync" ? "contactsync.1" : "contactsyncd.8")
            for option in options {
                #expect(text.contains("\n.B \(ManPage.escaped(option.words))\n"), "\(option.words)")
                for shell in ["bash/\(program)", "zsh/_\(program)"] {
                    #expect(
                        try completion(shell).contains { $0.contains("--\(option.name)") },
                        "\(shell): \(option.name)"
                    )
                }
                #expect(
                    try completion("fish/\(program).fish").contains { $0.contains(" -l \(option.name) ") }
                )
            }
        }
    }

    @Test("every key of the configuration is on its page, with what holds without it")
    func keys() throws {
        let text = try page("contactsync.toml.5")
        for (_, keys) in ConfigKey.tables {
            for key in keys {
                #expect(
                    text.contains(".B \(ManPage.escaped("\(key.name) = \(key.example)", inMacro: true))\n"),
                    "\(key.name)"
                )
                #expect(
                    text.contains(
                        ManPage.escaped(key.standard.map { "Default: \($0)." } ?? "It must be there.")
                    )
                )
            }
        }
    }

    @Test("text is text on a page, whatever it holds")
    func escaping() {
        #expect(ManPage.escaped(".a \\b-c…") == "\\&.a \\eb\\-c...")
        #expect(ManPage.escaped("'a' \"b\"", inMacro: true) == "\\&'a' \\(dqb\\(dq")
    }

    @Test("what programs type is in no list that people see")
    func hidden() {
        for command in Command.hidden {
            #expect(Command.named(command.name) != nil && !Usage.all.contains("  \(command.name) "))
        }
    }
}
