extension Command {
    /// Every subcommand, in the order of the usage; each has a file of its own.
    static let all: [Command] = [
        .id, .status, .list, .show, .lookup, .search, .add, .remove,
        .duplicates, .merge, .unmerge, .distinct, .shared, .conflicts, .resolve,
        .trash, .restore, .history, .resume, .rescan, .verify, .peers, .pair, .unpair, .sync, .doctor,
        .events, .metrics, .web, .import, .export,
    ]

    /// Those that programs type.
    static let hidden: [Command] = [.docs, .complete]

    /// The subcommand of a name.
    static func named(_ name: String) -> Command? { (all + hidden).first { $0.name == name } }
}
