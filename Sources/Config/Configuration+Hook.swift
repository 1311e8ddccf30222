extension Configuration {
    /// A program that is run for each event, with the event on its standard input.
    package struct Hook: Sendable, Equatable {
        /// What can happen; a hook that names none is run for all.
        package static let events = [
            "added", "changed", "removed", "merged", "split", "conflict", "set-aside", "mended", "peer-up",
            "peer-down", "hold", "release", "sync-complete",
        ]

        package var name: String
        /// The program, an absolute path, and its arguments.
        package var command: [String]
        /// The events that it is run for.
        package var events: Set<String>
        /// Seconds after which it is killed.
        package var timeout: Int

        package init(
            name: String,
            command: [String],
            events: Set<String> = Set(Hook.events),
            timeout: Int = 30
        ) {
            self.name = name
            self.command = command
            self.events = events
            self.timeout = timeout
        }
    }
}
