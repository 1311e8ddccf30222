extension Command {
    /// Every subcommand, in the order of the usage; each has a file of its own.
    static let all: [Command] = [
        .id, .status, .list, .show, .lookup, .search, .add, .remove,
        .duplicates, .merge, .unmerge, .distinct, .shared, .conflicts, .resolve,
        .trash, .restore, .history, .resume, .rescan, .verify, .peers, .pair, .unpair, .sync, .events,
        .import, .export,
    ]

    /// The subcommand of a name.
    static func named(_ name: String) -> Command? { all.first { $0.name == name } }
}
