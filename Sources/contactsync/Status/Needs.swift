import Doctor
import JSON

/// What a status says that waits for a person, the most urgent first.
struct Needs {
    let status: JSONValue
    /// How this program was called; see `Page`.
    let program: String
    var all: [Need] = []

    /// Finds them; made from the daemon's answer alone.
    static func of(_ status: JSONValue, program: String = "contactsync") -> [Need] {
        var needs = Needs(status: status, program: program)
        needs.addMachine()
        for book in status.list("books") { needs.addBook(book) }
        for peer in status.list("peers") { needs.addPeer(peer) }
        for hook in status.list("hooks") { needs.addHook(hook) }
        // Stable: of one urgency in the order of books and peers.
        return needs.all.enumerated()
            .sorted { ($0.element.urgency, $0.offset) < ($1.element.urgency, $1.offset) }.map(\.element)
    }

    /// A command of this program.
    func own(_ words: String..., effect: String) -> Need.Step {
        let quoted = words.map { $0.hasPrefix("--") ? $0 : ShellWord.quoted($0) }
        return Need.Step(command: ([program] + quoted).joined(separator: " "), effect: effect)
    }

    /// An editor on a file, which vi, nano and emacs open at a line.
    func edit(_ file: String, line: Int64?, effect: String) -> Need.Step {
        let place = line.map { $0 > 0 ? "+\($0) " : "" } ?? ""
        return Need.Step(command: "${EDITOR:-vi} \(place)\(ShellWord.quoted(file))", effect: effect)
    }

    /// Lets the daemon read its configuration again.
    var reload: Need.Step {
        Need.Step(command: "kill -HUP \(status.text("process"))", effect: "read it again")
    }

    private mutating func addMachine() {
        let config = status.text("config")
        if !status.text("failure").isEmpty {
            all.append(
                Need(
                    urgency: .stopped,
                    label: "stopped",
                    sentence: "nothing can be stored: \(status.text("failure")); it is tried again every 5 s",
                    steps: [
                        Need.Step(
                            command: "df -h \(ShellWord.quoted(status.text("state")))",
                            effect: "is there room on the disk?"
                        ), own("doctor", effect: "looks at the database too"),
                    ]
                )
            )
        }
        if !status.text("shortage").isEmpty {
            let steps = [
                Need.Step(
                    command: "df -h \(ShellWord.quoted(status.text("state")))",
                    effect: "make room, or set disk-reserve lower; it goes on by itself then"
                )
            ]
            all.append(
                Need(urgency: .stopped, label: "stopped", sentence: status.text("shortage"), steps: steps)
            )
        }
        if status.list("books").isEmpty {
            let sentence = "there are no books; add a table [books.NAME] with a directory"
            let steps = [edit(config, line: nil, effect: "then start contactsyncd anew")]
            all.append(Need(urgency: .note, label: "note", sentence: sentence, steps: steps))
        }
        let peers = status.list("peers")
        let strangers = status.list("refused").filter { stranger in
            // A peer that comes with another key than its entry says is told of as that peer.
            !peers.contains { $0.text("lastError").contains(stranger.text("device")) }
        }
        for stranger in strangers.prefix(3) { addStranger(stranger) }
        for peer in status.list("unpaired") { addUnpaired(peer) }
        addPairing(status.at("pairing"))
    }

    /// A peer that the configuration still names.
    private mutating func addUnpaired(_ peer: JSONValue) {
        guard let line = peer.number("line") else { return }
        let sentence =
            "\(peer.text("name")) was unpaired here and stays refused, though the configuration names it"
        let steps = [
            edit(status.text("config"), line: line, effect: "take its entry out"), reload,
            own("pair", effect: "or takes back that it was unpaired"),
        ]
        all.append(Need(urgency: .note, label: "note", sentence: sentence, steps: steps))
    }

    /// A device that knocked and was not let in.
    private mutating func addStranger(_ stranger: JSONValue) {
        let count = stranger.number("count") ?? 1
        let times = count == 1 ? "at" : "\(count) times, last at"
        let name = stranger.text("name")
        let who = name.isEmpty ? "a machine that is no peer here" : "\(name), which was unpaired,"
        all.append(
            Need(
                urgency: .note,
                label: "note",
                sentence:
                    "\(who) was refused \(times) \(Moment.shown(stranger.text("time"))), from \(stranger.text("address"))",
                details: ["its device ID is \(stranger.text("device"))"],
                steps: [own("pair", effect: "if it is yours: waits for it, and says what to type there")]
            )
        )
    }

    /// A hook whose last run failed.
    private mutating func addHook(_ hook: JSONValue) {
        let (name, error) = (hook.text("name"), hook.text("lastError"))
        guard !error.isEmpty else { return }
        let runs = "\(hook.text("failures")) of \(hook.text("runs")) runs failed"
        all.append(
            Need(
                urgency: .hook,
                label: "hook",
                sentence: "\(name) failed last: \(error) (\(runs))",
                steps: [edit(status.text("config"), line: nil, effect: "[hooks.\(name)]"), reload]
            )
        )
    }

    /// Who may come now, and what came of it last.
    private mutating func addPairing(_ pairing: JSONValue) {
        let (invitations, failure) = (pairing.number("invitations") ?? 0, pairing.at("lastFailure"))
        func note(_ sentence: String) -> Need { Need(urgency: .note, label: "note", sentence: sentence) }
        if pairing.isTrue("waiting") { all.append(note("another machine may pair with this one now")) }
        if invitations > 0 { all.append(note("\(Self.counted(invitations, "open invitation")) to pair")) }
        guard !failure.isNull else { return }
        var failed = note(
            "pairing with \(failure.text("address")) failed at \(Moment.shown(failure.text("time"))): \(failure.text("reason"))"
        )
        failed.steps = [own("pair", effect: "on both, to try it again")]
        all.append(failed)
    }
}
