import AddressBook
import Config
import Controllers
import JSON
import Replication

/// Lines of the journal as events.
extension Journal {
    /// What happened in so many words; the history's words for what became of a record on the left.
    private static let words = [
        "added": "added", "restored": "added", "changed": "changed", "deleted": "removed",
    ]

    /// The events of these lines, in their order. One act on a contact of several records is one event.
    func events(_ rows: [JournalRow]) -> [JSONObject] {
        var events: [JSONObject] = []
        var last: Act?
        for row in rows {
            let book = daemon.books.first { $0.list.settings.id == row.line.book }
            let act = Act(
                what: row.line.what,
                time: row.line.time,
                session: row.line.session,
                contact: book?.list.index.person(of: row.line.uid)?[0] ?? row.line.uid
            )
            guard row.line.uid.isBook || act != last else { continue }
            last = act
            if let event = event(row, book) { events.append(event) }
        }
        return events
    }

    private struct Act: Equatable {
        var what: String
        var time: UInt64
        var session: String
        var contact: UID
    }

    private func event(_ row: JournalRow, _ book: Book?) -> JSONObject? {
        let line = row.line
        var event = JSONObject()
        event["id"] = .number(row.id)
        event["time"] = .string(Timestamp.text(line.time))
        // A book that is no longer configured has no name any more.
        guard line.book == HistoryRow.noBook || book != nil else { return nil }
        if let details = line.details {
            event["event"] = .string(line.what)
            if let book { event["book"] = .string(book.name) }
            add(details, to: &event, book)
            if !line.session.isEmpty { event["session"] = .string(line.session) }
            if let device = line.peer {
                event["device"] = .string(device)
                if let peer = daemon.hub.peers[device] { event["peer"] = .string(peer.configuration.name) }
            }
            return event
        }
        guard let book, let word = Self.words[line.what] else { return nil }
        event["event"] = .string(word)
        event["book"] = .string(book.name)
        event["uid"] = .string(line.uid.text)
        event["name"] = name(line.uid, book)
        event["session"] = .string(line.session)
        event["device"] = .string(book.list.device(line.session))
        event["origin"] = .string(line.origin)
        if word == "changed" { event["fields"] = .array(line.fields.map { .string($0) }) }
        if line.what == "restored" { event["restored"] = true }
        return event
    }

    /// Values under one name are a list where there may be several.
    private func add(_ details: [(name: String, value: String)], to event: inout JSONObject, _ book: Book?) {
        for (name, value) in details {
            switch name {
            case "uids", "fields": event[name] = .array((event[name]?.array ?? []) + [.string(value)])
            case "line", "column", "item": event[name] = Int64(value).map { .number($0) } ?? .null
            case "uid":
                event["uid"] = .string(value)
                if let book { event["name"] = self.name(UID(value), book) }
            default: event[name] = .string(value)
            }
        }
    }

    /// What a contact is called now, or was when it was deleted.
    private func name(_ uid: UID, _ book: Book) -> JSONValue {
        let name = book.list.card(ofPersonWith: uid)?.name ?? book.list.dead[uid]?.name
        return name.map { .string($0) } ?? .null
    }
}
