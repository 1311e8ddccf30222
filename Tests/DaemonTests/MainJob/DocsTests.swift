import Foundation
import Testing

/// The manual pages and completions that are installed, in the programs that show them.
@Suite("Manual pages and completions in use")
struct DocsTests {
    /// Runs a program; gives its exit status and all it said.
    private func run(_ machine: Machine, _ line: [String]) throws -> (exit: Int32?, text: String) {
        let output = "\(machine.stage)/\(UUID().uuidString)"
        var environment = try machine.environment(forDaemon: false)
        let programs = try URL(filePath: Executables.path("contactsync")).deletingLastPathComponent().path
        environment["PATH"] = "\(programs):/usr/local/bin:/usr/bin:/bin"
        let child = try Child(
            line[0],
            Array(line.dropFirst()),
            environment: environment,
            directory: machine.stage,
            output: output,
            errors: output
        )
        let exit = child.wait(Patience.answer)
        return (exit, (try? String(contentsOfFile: output, encoding: .utf8)) ?? "")
    }

    private func withDocs(_ body: (Machine, String) throws -> Void) throws {
        try World.with { world in
            let a = try world.add("A")
            let directory = a.stage + "/docs"
            try a.must("docs", directory)
            try body(a, directory)
        }
    }

    @Test("The pages have no fault that man or mandoc knows of")
    func pages() throws {
        try withDocs { machine, directory in
            let pages = try FileManager.default.contentsOfDirectory(atPath: directory + "/man").sorted()
            #expect(pages == ["contactsync.1", "contactsync.toml.5", "contactsyncd.8"])
            for page in pages.map({ directory + "/man/" + $0 }) {
                if let man = Executables.tool("man") {
                    let shown = try run(
                        machine,
                        [man, "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page]
                    )
                    #expect(shown.exit == 0 && !shown.text.contains("warning"), "\(shown.text.prefix(500))")
                }
                if let mandoc = Executables.tool("mandoc") {
                    let found = try run(machine, [mandoc, "-T", "lint", "-W", "warning", page])
                    #expect(found.exit == 0 && found.text.isEmpty, "\(found.text)")
                }
            }
        }
    }

    /// What bash offers after these words; the last one is what was typed of the next.
    private func bash(_ machine: Machine, _ directory: String, _ words: [String]) throws -> [String] {
        let script = """
            source "$1/completions/bash/contactsync"
            shift
            COMP_WORDS=("$@")
            COMP_CWORD=$(($# - 1))
            $(complete -p contactsync | sed 's/.*-F \\([^ ]*\\).*/\\1/')
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let bash = try #require(Executables.tool("bash"))
        let answer = try run(machine, [bash, "-c", script, "bash", directory] + words)
        return answer.text.split(separator: "\n").map(String.init)
    }

    @Test("bash completes commands, options, values, files and the books of the configuration that is named")
    func bash() throws {
        try withDocs { machine, directory in
            func offered(_ words: String...) throws -> [String] {
                try bash(machine, directory, ["contactsync"] + words)
            }
            let status = try offered("stat")
            #expect(status == ["status"])
            #expect(try offered("re") == ["remove", "resolve", "restore", "resume", "rescan"])
            #expect(try offered("status", "--w") == ["--watch"])
            #expect(try offered("resume", "--") == ["--delete", "--restore", "--json", "--help"])
            #expect(try offered("--config", machine.configuration, "list", "") == [Machine.book])
            #expect(
                try offered("--config", machine.configuration, "add", "--name", "N", "p") == [Machine.book]
            )
            #expect(try offered("add", "x", "--name", "") == [], "a name is one's own")
            #expect(try offered("export", "--format", "vcard") == ["vcard4", "vcard3"])
            #expect(try offered("--config", machine.configuration, "pair", "--book", "") == [Machine.book])
            #expect(try offered("--config", machine.home + "/conf") == [machine.configuration])
            #expect(try offered("help", "verif") == ["verify"])
        }
    }

    @Test("Names of books that a shell would run are offered as words")
    func quoting() throws {
        try withDocs { machine, directory in
            let text = "[books.\"a $(touch ran) b\"]\ndirectory = \"\(machine.directory)\"\n"
            try Data(text.utf8).write(to: URL(filePath: machine.configuration))
            let words = ["contactsync", "--config", machine.configuration, "list", ""]
            #expect(try bash(machine, directory, words) == ["a\\ \\$\\(touch\\ ran\\)\\ b"])
            #expect(!FileManager.default.fileExists(atPath: machine.stage + "/ran"))
        }
    }

    @Test("zsh and fish understand theirs, and fish offers what it should")
    func otherShells() throws {
        try withDocs { machine, directory in
            if let zsh = Executables.tool("zsh") {
                for name in ["_contactsync", "_contactsyncd"] {
                    let answer = try run(machine, [zsh, "-n", "\(directory)/completions/zsh/\(name)"])
                    #expect(answer.exit == 0 && answer.text.isEmpty, "\(answer.text)")
                }
            }
            guard let fish = Executables.tool("fish") else { return }
            func offered(_ line: String) throws -> [String] {
                let script =
                    "source \(directory)/completions/fish/contactsync.fish; complete -C 'contactsync --config \(machine.configuration) \(line)'"
                return try run(machine, [fish, "--no-config", "-c", script]).text.split(separator: "\n").map {
                    String($0.prefix { $0 != "\t" })
                }
            }
            #expect(try offered("stat") == ["status"])
            #expect(try offered("status --w") == ["--watch"])
            #expect(try offered("list ") == [Machine.book])
        }
    }
}
