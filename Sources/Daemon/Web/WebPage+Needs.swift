import AddressBook
import Config
import Controllers
import JSON

/// What needs a person, most urgent first.
extension WebPage {
    /// One thing that waits for a person.
    struct Need {
        var kind: String
        var title: String
        var text: String
        /// What settles it, each a command's words.
        var commands: [[String]] = []
        /// Where on the page there is more of it.
        var anchor: String?
    }

    /// Files set aside that are listed one by one, for each book.
    private static let listedFiles = 5

    var needs: [Need] {
        var needs: [Need] = []
        if let failure = daemon.committer.failure {
            needs.append(Need(kind: "bad", title: "Nothing can be stored", text: failure.reason))
        }
        if let shortage = daemon.reserve.shortage {
            needs.append(Need(kind: "bad", title: "The disk is nearly full", text: shortage))
        }
        for book in daemon.books { needs += needsOf(book) }
        for peer in daemon.hub.peers.values.sorted(by: { $0.configuration.name < $1.configuration.name }) {
            needs += needsOf(peer)
        }
        for hook in daemon.hooks.hooks {
            guard let error = hook.lastError else { continue }
            let name = hook.configuration.name
            needs.append(
                Need(
                    kind: "warn",
                    title: "The hook \(name) fails",
                    text: "\(error). Mend [hooks.\(name)] in the configuration, and reload it."
                )
            )
        }
        return needs.filter { $0.kind == "bad" } + needs.filter { $0.kind != "bad" }
    }

    private func needsOf(_ peer: PeerHub.Peer) -> [Need] {
        let name = peer.configuration.name
        if peer.isRefused {
            let there = peer.configuration.address?.text ?? name
            return [
                Need(
                    kind: "bad",
                    title: "\(name) refuses us",
                    text: "It does not know this machine. Say `contactsync pair` there, and here:",
                    commands: [["pair", there]]
                )
            ]
        }
        let held = (peer.link?.feeds ?? [:]).filter {
            $0.value.refusedCounts.there > 0 && !$0.value.isReadOnlyThere
        }
        return held.keys.sorted().map { book in
            Need(
                kind: "warn",
                title: "\(name) does not take all changes of \(book)",
                text: "Somebody has to decide there; `contactsync status` says why, and what to type."
            )
        }
    }

    private func needsOf(_ book: Book) -> [Need] {
        var needs: [Need] = []
        if let held = daemon.held(book)?.held.object {
            let count = held["deletions"]?.array?.count ?? 0
            needs.append(
                Need(
                    kind: "bad",
                    title: "\(book.name) is held" + (count > 0 ? ": \(count) deletions wait" : ""),
                    text: held["reason"]?.string ?? "",
                    commands: [["resume", book.name, "--delete"], ["resume", book.name, "--restore"]]
                )
            )
        }
        if let failure = book.directory.writeFailure {
            needs.append(
                Need(kind: "bad", title: "Files of \(book.name) cannot be written", text: failure)
            )
        }
        if book.isRegionUnknown {
            needs.append(
                Need(
                    kind: "bad",
                    title: "The region of \(book.name) is no country whose numbers are known",
                    text: "Its numbers without + are never compared. Write the two letters of ISO 3166."
                )
            )
        }
        let aside = book.directory.setAside
        for entry in aside.prefix(Self.listedFiles) {
            let place = [
                entry.flaw.line.map { "line \($0)" }, entry.flaw.column.map { "column \($0)" },
                entry.flaw.item.map { "item \($0 + 1)" },
            ].compactMap { $0 }.joined(separator: ", ")
            needs.append(
                Need(
                    kind: "warn",
                    title: "\(entry.file) is set aside",
                    text: (place.isEmpty ? "" : place + ": ") + entry.flaw.reason
                        + ". Mend it in \(shown(book.configuration.directory)); it is read when it is saved."
                )
            )
        }
        if aside.count > Self.listedFiles {
            needs.append(
                Need(
                    kind: "warn",
                    title: "\(aside.count - Self.listedFiles) more files of \(book.name) are set aside",
                    text: "",
                    commands: [["status"]]
                )
            )
        }
        if book.list.conflictCount > 0 {
            let count = book.list.conflictCount
            needs.append(
                Need(
                    kind: "warn",
                    title: "\(count) \(count == 1 ? "conflict" : "conflicts") in \(book.name)",
                    text: "Two values were written for one field; both are kept until you choose.",
                    anchor: "conflicts"
                )
            )
        }
        return needs
    }

    func needs(_ html: inout HTML) {
        let needs = needs
        guard !needs.isEmpty else { return }
        html.element("section", ["id": "needs", "class": "wide"]) { html in
            html.element("h2", text: "Needs you")
            html.element("ul", ["class": "needs"]) { html in
                for need in needs {
                    html.element("li", ["class": need.kind]) { html in
                        html.element("strong") { $0.foreign(need.title) }
                        if !need.text.isEmpty { html.element("p") { $0.foreign(need.text, limit: 400) } }
                        for words in need.commands { command(&html, words) }
                        if let anchor = need.anchor {
                            html.element("a", ["href": "#" + anchor], text: "see below")
                        }
                    }
                }
            }
        }
    }
}
