/// One key of the configuration, for whoever reads it, reads about it, or mistyped it.
///
/// `ConfigurationReader` knows no other keys, and the manual page is made from this table.
package struct ConfigKey: Sendable, Hashable {
    package let name: String
    /// How a value looks, as it stands in the file.
    package let example: String
    /// What holds without it, in words; nil if it must be there.
    package let standard: String?
    /// What it is for: sentences, each with a full stop.
    package let about: String

    init(_ name: String, _ example: String, standard: String?, _ about: String) {
        self.name = name
        self.example = example
        self.standard = standard
        self.about = about
    }
}

extension ConfigKey {
    /// The keys before the first table; tables themselves are not among them.
    package static let top = machine + service

    private static let machine = [
        ConfigKey(
            "name",
            "\"laptop\"",
            standard: "the host name",
            "The name that peers see."
        ),
        ConfigKey(
            "listen",
            "\"[::]:8749\"",
            standard: "\"[::]:8749\"",
            "Where peers may connect: host and port. Port 0 is any free one (the status shows it); \"off\" is nowhere."
        ),
        ConfigKey(
            "state",
            "\"~/.local/state/contactsync\"",
            standard: "contactsync in $XDG_STATE_HOME, else \"~/.local/state/contactsync\"",
            "The directory of the key, the database and the trash; for the owner only."
        ),
        ConfigKey(
            "socket",
            "\"/run/user/1000/contactsync.sock\"",
            standard: "contactsync.sock in $XDG_RUNTIME_DIR, else in the state directory",
            "Where contactsync finds the daemon."
        ),
    ]

    /// What is served to other programs of this machine, and what is kept free.
    private static let service = [
        ConfigKey(
            "metrics-listen",
            "\"127.0.0.1:9749\"",
            standard: "\"off\"",
            "Where metrics are served to Prometheus, at /metrics; without a host on this machine only."
        ),
        ConfigKey(
            "web-listen",
            "\"127.0.0.1:0\"",
            standard: "a free port",
            "Where the page of contactsync web is served, from the first time that it is asked for; this machine only. \"off\" is nowhere."
        ),
        ConfigKey(
            "disk-reserve",
            "\"128 MiB\"",
            standard: "\"128 MiB\"",
            "With less room than this on the disk of the state or of a book, nothing of peers is taken in."
        ),
    ]

    /// The keys of a table `[books.NAME]`.
    package static let book = [
        ConfigKey(
            "directory",
            "\"~/Contacts\"",
            standard: nil,
            "The directory of contact files. It is made at the first start; no two books share one, or lie one below the other."
        ),
        ConfigKey(
            "region",
            "\"DE\"",
            standard: "none",
            "The country (ISO 3166) in which numbers without + are read. Without it such numbers are kept but never compared."
        ),
        ConfigKey(
            "deduplicate",
            "\"phone\"",
            standard: "\"phone\"",
            "Who is one person. \"phone\": whoever shares a number, unless there is evidence against it; \"careful\": only with names that fit; \"suggest\": never, only listed by contactsync duplicates."
        ),
        ConfigKey(
            "deletion-limit",
            "\"30%\"",
            standard: "\"30%\"",
            "If more of the book than this vanishes within an hour, deletions wait for contactsync resume."
        ),
        ConfigKey(
            "keep-deleted",
            "30",
            standard: "30",
            "Days for which deleted contacts and replaced files can be brought back."
        ),
        ConfigKey(
            "trash-limit",
            "\"256 MiB\"",
            standard: "\"256 MiB\"",
            "How much space files that were removed or replaced may take in the trash."
        ),
        ConfigKey(
            "rescan-interval",
            "3600",
            standard: "3600",
            "Seconds between full looks at the directory. Changes are seen at once anyway, except on network file systems."
        ),
    ]

    /// The keys of a table `[peers.NAME]`.
    package static let peer = [
        ConfigKey(
            "id",
            "\"0123…\"",
            standard: nil,
            "The device ID of the other machine: what contactsync id prints there."
        ),
        ConfigKey(
            "address",
            "\"desktop.lan:8749\"",
            standard: "none",
            "Where to reach it. Without one it must connect to us; one of the two needs the other's."
        ),
        ConfigKey(
            "books",
            "[\"personal\"]",
            standard: "none",
            "The books that both share. The other machine must list them for us too."
        ),
        ConfigKey(
            "access",
            "\"write\"",
            standard: "\"write\"",
            "What it may do. \"write\": what it changes is changed here; \"read\": it gets everything, and what it changes is refused and said on both sides."
        ),
    ]

    /// The keys of a table `[hooks.NAME]`.
    package static let hook = [
        ConfigKey(
            "command",
            "[\"/usr/bin/logger\", \"-t\", \"contacts\"]",
            standard: nil,
            "The program that is run for each event, and its words. It gets the event as one line of JSON on its standard input, one at a time and in order."
        ),
        ConfigKey(
            "events",
            "[\"conflict\", \"set-aside\", \"hold\"]",
            standard: "all",
            "The events it is run for: \(Configuration.Hook.events.joined(separator: ", "))."
        ),
        ConfigKey(
            "timeout",
            "30",
            standard: "30",
            "Seconds after which it is killed."
        ),
    ]

    /// The tables, each with its heading and its keys.
    package static let tables: [(heading: String, keys: [ConfigKey])] = [
        ("", top), ("[books.NAME]", book), ("[peers.NAME]", peer), ("[hooks.NAME]", hook),
    ]
}
