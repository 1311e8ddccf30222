import JSON

extension Needs {
    /// Seconds without a word after which a peer that owes us something is stuck.
    private static let patience: Int64 = 60
    /// Seconds after which a book that the peer says nothing about is not shared with us.
    private static let settling: Int64 = 10
    /// Milliseconds that two clocks may be apart: it only matters which of two edits made apart is shown.
    private static let clockLimit: Int64 = 60_000

    mutating func addPeer(_ peer: JSONValue) {
        if peer.text("state") == "connected" {
            addConnected(peer)
        } else if peer.text("state") != "connecting" || !peer.text("lastError").isEmpty {
            addAway(peer)
        }
    }

    private mutating func add(
        _ peer: JSONValue,
        _ label: String,
        _ sentence: String,
        _ details: [String] = [],
        _ steps: [Need.Step]
    ) {
        all.append(
            Need(
                urgency: .peer,
                label: label,
                sentence: "\(peer.text("name")) \(sentence)",
                details: details,
                steps: steps,
                peer: peer.text("name")
            )
        )
    }

    // MARK: Not connected

    private mutating func addAway(_ peer: JSONValue) {
        let (name, address) = (peer.text("name"), peer.text("address"))
        let time = Moment.seconds(from: peer.text("since"), to: status.text("time"))
        let since = time.map { " for \(Moment.duration($0))" } ?? ""
        let reason = peer.text("lastError")
        let there = edit(status.text("config"), line: peer.number("line"), effect: "its entry here")
        switch peer.text("trouble") {
        case "other-key":
            let isListed = (peer.number("line") ?? 0) > 0
            add(
                peer,
                "refused",
                "has another key than is known here: \(reason)",
                ["known is \(peer.text("device"))"],
                [Need.Step(command: "contactsync id", effect: "on \(name): is that really its ID?")]
                    + (isListed
                        ? [there, reload]
                        : [own("unpair", name, effect: "then pair the two machines again")])
            )
        case "refused-there":
            add(
                peer,
                "refused",
                "does not accept this machine: \(reason)",
                [],
                [
                    Need.Step(command: "contactsync pair", effect: "on \(name): it waits for this machine"),
                    own("pair", address.isEmpty ? "HOST" : address, effect: "here, meanwhile"),
                ]
            )
        case "ourselves":
            add(peer, "wrong address", "has the address of this machine, \(address)", [], [there, reload])
        case "silent", "no-tls":
            add(
                peer,
                "offline",
                "is not what answers at \(address): \(reason)",
                [],
                [
                    Need.Step(
                        command: "contactsync status",
                        effect: "on \(name): the port that it listens on"
                    ), there, reload,
                ]
            )
        case "version":
            add(
                peer,
                "refused",
                "and this machine do not understand each other: \(reason)",
                [],
                [
                    Need.Step(
                        command: "contactsync --version",
                        effect: "on both; install the newer one on the other too"
                    )
                ]
            )
        default:
            let why = reason.isEmpty ? "" : ": \(reason)"
            let isListed = (peer.number("line") ?? 0) > 0
            let waits = address.isEmpty ? " (it has to connect to us: its address is not known here)" : ""
            add(
                peer,
                "offline",
                "is not connected\(since)\(why)\(waits)",
                [],
                [
                    Need.Step(
                        command: "systemctl --user start contactsync",
                        effect: "on \(name), if it is not running"
                    ),
                    address.isEmpty
                        ? Need.Step(
                            command: "contactsync doctor",
                            effect: "on \(name): looks at the way to here"
                        )
                        : own("doctor", effect: "looks at the way there"),
                ] + (address.isEmpty && isListed ? [there] : [])
            )
        }
    }

    /// What one of both does not take, as it may only read.
    static func refusals(_ peer: JSONValue) -> [String] {
        (peer.at("books").object ?? JSONObject()).flatMap { book -> [String] in
            let (here, there) = (
                book.value.number("refusedHere") ?? 0, book.value.number("refusedThere") ?? 0
            )
            var notes: [String] = []
            if here > 0, peer.text("access") == "read" {
                notes.append("\(counted(here, "change")) of it in \(book.key) refused here: it may only read")
            }
            if there > 0, book.value.isTrue("readOnlyThere") {
                notes.append(
                    "\(counted(there, "change")) of ours in \(book.key) refused there: we may only read"
                )
            }
            return notes
        }
    }

    // MARK: Connected

    private mutating func addConnected(_ peer: JSONValue) {
        let name = peer.text("name")
        let now = status.text("time")
        let age = Moment.seconds(from: peer.text("since"), to: now) ?? 0
        let quiet = Moment.seconds(from: peer.text("heard"), to: now) ?? 0
        for book in peer.at("books").object ?? JSONObject() {
            let state = book.value
            if state.at("shared").bool == false || age > Self.settling && state.at("toReceive").isNull {
                add(
                    peer,
                    "not shared",
                    "does not share the book \(book.key) with us",
                    [],
                    [
                        Need.Step(
                            command: "${EDITOR:-vi} ~/.config/contactsync/config.toml",
                            effect:
                                "on \(name): [books.\(book.key)], and it in `books` of [peers.\(status.text("name"))]"
                        )
                    ]
                )
            }
            let open = (state.number("toSend") ?? 0) + (state.number("toReceive") ?? 0)
            // Where we store nothing ourselves, that was told, and it is not the peer that is stuck.
            let canStore = status.text("failure").isEmpty && status.text("shortage").isEmpty
            if open > 0, quiet > Self.patience, canStore {
                add(
                    peer,
                    "stuck",
                    "has been silent for \(Moment.duration(quiet)), with \(Self.counted(open, "record")) of \(book.key) still to exchange",
                    [],
                    [
                        Need.Step(
                            command: "contactsync status",
                            effect: "on \(name): does something stop it?"
                        ),
                        own("sync", effect: "wait, and see what is missing"),
                    ]
                )
            }
            if let count = state.number("refusedThere"), count > 0, !state.isTrue("readOnlyThere") {
                add(
                    peer,
                    "held there",
                    "does not take \(Self.counted(count, "change")) of ours in \(book.key) until somebody decides there",
                    [],
                    [Need.Step(command: "contactsync status", effect: "on \(name): why, and what to type")]
                )
            }
            if let count = state.number("different"), count > 0 {
                add(
                    peer,
                    "different",
                    "and we hold \(Self.counted(count, "contact")) of \(book.key) in different forms, whatever is sent",
                    [],
                    [own("verify", book.key, effect: "names them")]
                )
            }
        }
        for refusal in Self.refusals(peer) {
            all.append(Need(urgency: .note, label: "note", sentence: "\(name): \(refusal)"))
        }
        if let ahead = peer.number("clock"), abs(ahead) > Self.clockLimit {
            let far = Moment.duration(abs(ahead) / 1000)
            add(
                peer,
                "clock",
                "has a clock that is \(far) \(ahead > 0 ? "ahead of" : "behind") this one (seen when it connected); of two edits made apart the wrong one may be shown",
                ["here it is \(Moment.shown(now))"],
                [
                    Need.Step(
                        command: "timedatectl set-ntp true",
                        effect: "on the one that is wrong; then start contactsync there anew"
                    )
                ]
            )
        }
    }
}
