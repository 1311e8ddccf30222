import AddressBook
import Config
import Controllers
import JSON
import Replication

/// What happened, newest first.
extension WebPage {
    /// Lines of the journal on one page; those of one act on many contacts are shown as one.
    private static let lines = 120
    /// Names of contacts in one line.
    private static let names = 3

    func history(_ html: inout HTML) {
        let before = query["before"].flatMap { Int64($0) } ?? Int64.max
        let rows = (try? daemon.store.journal(before: before, limit: Self.lines)) ?? []
        html.element("section", ["id": "history", "class": "wide"]) { html in
            html.element("h2", text: "Recent history")
            if rows.isEmpty { html.element("p", ["class": "empty"], text: "Nothing has happened yet.") }
            html.element("ol", ["class": "history"]) { html in
                for act in Self.acts(daemon.journal.events(rows)) { line(&html, act) }
            }
            html.element("p", ["class": "pages"]) { html in
                if before != .max { html.element("a", ["href": link("/", to: "history")], text: "← newest") }
                if rows.count == Self.lines, let last = rows.last {
                    let older = link("/", [("before", String(last.id))], to: "history")
                    html.element("a", ["href": older], text: "older →")
                }
            }
        }
    }

    /// Events that follow each other and say the same of several contacts, within a minute on one machine.
    private static func acts(_ events: [JSONObject]) -> [[JSONObject]] {
        func kind(_ event: JSONObject) -> [String?] {
            [event["event"]?.string, event["device"]?.string, event["book"]?.string]
                + [(event["time"]?.string?.prefix(16)).map(String.init)]
        }
        var acts: [[JSONObject]] = []
        for event in events where event["event"] != "sync-complete" {
            let canJoin = ["added", "changed", "removed"].contains(event["event"]?.string)
            if canJoin, let last = acts.last?.first, kind(last) == kind(event) {
                acts[acts.count - 1].append(event)
            } else {
                acts.append([event])
            }
        }
        return acts
    }

    private func line(_ html: inout HTML, _ act: [JSONObject]) {
        guard let event = act.first else { return }
        func text(_ name: String) -> String { event[name]?.string ?? "" }
        let word = text("event")
        let kind =
            switch word {
            case "added", "mended", "peer-up", "release": "good"
            case "conflict", "set-aside", "peer-down": "warn"
            case "removed", "hold": "bad"
            default: ""
            }
        let peer = text("peer").isEmpty ? deviceName(text("device")) : text("peer")
        let names = act.map { $0["name"]?.string ?? "someone without a name" }
        let who =
            names.prefix(Self.names).joined(separator: ", ")
            + (names.count > Self.names ? " and \(names.count - Self.names) more" : "")
        let verb = names.count > 1 ? "were" : "was"
        let fields = Set(
            act.flatMap { $0["fields"]?.array ?? [] }.compactMap { $0.string?.prefix { $0 != "/" } }
        )
        let what = fields.sorted().joined(separator: ", ")
        let (subject, sentence): (String, String) =
            switch word {
            case "added": (who, event["restored"] == nil ? "\(verb) added" : "\(verb) brought back")
            case "changed": (who, "\(verb) changed" + (what.isEmpty ? "" : ": " + what))
            case "removed": (who, "\(verb) removed")
            case "merged": (who, "is one contact now, of \(event["uids"]?.array?.count ?? 2) entries")
            case "split": (who, "was told apart")
            case "conflict": (who, "has two values: " + what)
            case "set-aside": (text("file"), "is set aside: " + text("reason"))
            case "mended": (text("file"), "is mended")
            case "peer-up": (peer, "connected")
            case "peer-down": (peer, "disconnected: " + text("reason"))
            case "hold": (text("book"), "is held: " + text("reason"))
            case "release": (text("book"), "is held no longer")
            default: (word, "")
            }
        html.element("li", ["class": kind]) { html in
            html.element("span", ["class": "what"]) { html in
                html.element("strong") { $0.foreign(subject, limit: 160) }
                html.text(" ")
                html.foreign(sentence, limit: 200)
                if !text("origin").isEmpty {
                    html.element("small") { html in
                        html.text(" on ")
                        html.foreign(deviceName(text("device")), limit: 40)
                    }
                }
            }
            if let at = Timestamp.milliseconds(text("time")) { time(&html, at) }
        }
    }
}
