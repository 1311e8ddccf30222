/// One option of a program, for its help, its manual page and the completion of its command line.
package struct ProgramOption: Sendable, Hashable {
    /// Without the hyphens.
    package let name: String
    /// What its value is called, such as `FILE`; empty if it takes none.
    package let value: String
    package let about: String

    package init(_ name: String, _ value: String = "", _ about: String) {
        self.name = name
        self.value = value
        self.about = about
    }

    /// As it is typed.
    package var words: String { value.isEmpty ? "--\(name)" : "--\(name) \(value)" }

    /// What both programs take.
    package static let config = ProgramOption(
        "config",
        "FILE",
        "reads this configuration, not that of the user or of the machine"
    )

    /// The options of the daemon.
    package static let daemon = [
        config,
        ProgramOption(
            "check",
            "looks for what is wrong with the configuration and around it, changes nothing, and exits 0 or 1"
        ),
        ProgramOption("version", "prints the version"),
        ProgramOption("help", "prints the options"),
    ]

    private init(_ name: String, _ about: String) { self.init(name, "", about) }
}
