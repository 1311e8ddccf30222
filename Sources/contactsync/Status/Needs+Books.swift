import Doctor
import JSON

extension Needs {
    /// More of these fill the screen; `--json` has all.
    private static let shown = 8

    mutating func addBook(_ book: JSONValue) {
        let (name, directory) = (book.text("name"), book.text("directory"))
        addHeld(book, name, directory)
        if !book.text("writeFailure").isEmpty {
            all.append(
                Need(
                    urgency: .directory,
                    label: "cannot write",
                    sentence:
                        "in the directory of \(name): \(book.text("writeFailure")); it is tried again every 5 s",
                    steps: [
                        Need.Step(
                            command: "ls -ld \(ShellWord.quoted(directory))",
                            effect: "may the user of contactsyncd write there?"
                        ),
                        Need.Step(command: "df -h \(ShellWord.quoted(directory))", effect: "is there room?"),
                    ]
                )
            )
        }
        if !book.text("watchFailure").isEmpty {
            all.append(
                Need(
                    urgency: .directory,
                    label: "not watched",
                    sentence:
                        "changes in the directory of \(name) are seen every 2 s, not at once: \(book.text("watchFailure"))",
                    steps: [own("doctor", effect: "says which limit of inotify to raise")]
                )
            )
        }
        if book.isTrue("regionUnknown") {
            all.append(
                Need(
                    urgency: .directory,
                    label: "region",
                    sentence:
                        "the region of \(name) is no country whose numbers are known, so its numbers without + are never compared",
                    steps: [
                        edit(
                            status.text("config"),
                            line: nil,
                            effect: "[books.\(name)]: the two letters of ISO 3166"
                        ),
                        reload,
                    ]
                )
            )
        }
        addSetAside(book, name, directory)
        if let count = book.number("conflicts"), count > 0 {
            all.append(
                Need(
                    urgency: .conflict,
                    label: "conflict",
                    sentence:
                        "\(Self.counted(count, "value")) in \(name) lost against a later one and \(count == 1 ? "is" : "are") kept; see both, and say which one counts",
                    steps: [
                        own("conflicts", name, effect: "lists them, each with the command that settles it")
                    ]
                )
            )
        }
        if let count = book.number("damaged"), count > 0 {
            all.append(
                Need(
                    urgency: .peer,
                    label: "damaged",
                    sentence:
                        "the database lost what it knew of \(Self.counted(count, "contact")) in \(name); a peer that has it brings it back",
                    steps: [own("verify", name, effect: "compare with the peers now")]
                )
            )
        }
        for clash in book.list("clashes") {
            let files = clash.list("files").map(\.plain).joined(separator: ", ")
            let sentence = "several files of \(name) have the same uid, \(clash.text("uid")): \(files)"
            all.append(Need(urgency: .note, label: "note", sentence: sentence))
        }
        for complaint in book.list("complaints") {
            all.append(Need(urgency: .note, label: "note", sentence: "\(name): \(complaint.plain)"))
        }
    }

    private mutating func addHeld(_ book: JSONValue, _ name: String, _ directory: String) {
        let held = book.at("held")
        guard !held.isNull else { return }
        let deletions = held.list("deletions").sorted { Persons.name($0) < Persons.name($1) }
        let count = Self.counted(Int64(deletions.count), "contact")
        let since = held.text("since").isEmpty ? "" : " since \(Moment.shown(held.text("since")))"
        let what: String
        var back = "keep them: their files are written again"
        switch held.at("from").isNull ? book.text("heldBy") : "peer" {
        case "files": what = "the files of \(count) are gone from \(directory)"
        case "peer":
            what = "\(held.text("from")) deletes \(count)"
            back = "keep them, there too"
        default:
            what = "\(directory): \(held.text("reason"))"
            back = "take the directory as it is now, and write the missing files into it"
        }
        var names = deletions.prefix(Self.shown).map { Persons.name($0) }.joined(separator: ", ")
        if deletions.count > Self.shown { names += " and \(deletions.count - Self.shown) more" }
        all.append(
            Need(
                urgency: .held,
                label: "held",
                sentence: "\(name)\(since): \(what); nothing is deleted until you decide",
                details: names.isEmpty ? [] : [names],
                steps: [
                    own("resume", name, "--restore", effect: back),
                    own("resume", name, "--delete", effect: "delete what is missing, on all machines"),
                ]
            )
        )
    }

    private mutating func addSetAside(_ book: JSONValue, _ name: String, _ directory: String) {
        let files = book.list("setAside")
        for file in files.prefix(Self.shown) {
            let path = directory + "/" + file.text("file")
            let place = [file.text("file"), file.text("line"), file.text("column")].filter { !$0.isEmpty }
            // People count from one.
            let item = file.number("item").map { "item \($0 + 1): " } ?? ""
            let step =
                file.number("line").map {
                    edit(path, line: $0, effect: "mend it; it is read as soon as it is saved")
                }
                ?? Need.Step(
                    command: "ls -l \(ShellWord.quoted(path))",
                    effect: "see what it is, and put a plain file there"
                )
            all.append(
                Need(
                    urgency: .file,
                    label: "broken file",
                    sentence: "\(place.joined(separator: ":")) in \(name): \(item)\(file.text("reason"))",
                    steps: [step]
                )
            )
        }
        guard files.count > Self.shown else { return }
        all.append(
            Need(
                urgency: .file,
                label: "broken files",
                sentence: "\(files.count - Self.shown) more in \(name)",
                steps: [own("status", "--json", effect: "lists all under setAside")]
            )
        )
    }

    /// A number and its noun.
    static func counted(_ count: Int64, _ noun: String) -> String {
        "\(WorkBars.grouped(count)) \(noun)\(count == 1 ? "" : "s")"
    }
}
