import AddressBook
import Contacts
import Controllers
import JSON
import Replication
import Wire

/// Cards into a book and out of it, some at a time, so that a large file holds nobody up.
extension Methods {
    /// Adds cards, or with `dry-run` says what they would do; all that one connection imports is of one session.
    ///
    /// - Returns: how many were `added`, `merged` and `unchanged`; `skipped`: the place among these cards (from 0) and
    ///   the reason of each that is none.
    func importCards(_ parameters: Parameters, _ connection: SocketServer.Connection) throws(RPCError)
        -> JSONValue
    {
        let book = try book(parameters)
        guard let cards = parameters.object["cards"]?.array else {
            throw .invalidParams("cards is no list; give JSContact Cards")
        }
        defer { daemon.wake() }
        let isRehearsal = parameters.flag("dry-run")
        var running = connection.kept as? RunningImport
        if running?.book !== book || running?.isRehearsal != isRehearsal {
            running = RunningImport(book, daemon.login, isRehearsal: isRehearsal)
            connection.kept = running
        }
        var items: [ContactItem] = []
        var skipped: [JSONValue] = []
        for (place, card) in cards.enumerated() {
            do throws(CardError) { items.append(try ContactItem.read(card)) } catch {
                skipped.append(["item": .number(place), "reason": .string(error.reason)])
            }
        }
        let outcomes = running?.cards.take(items) ?? []
        func count(_ outcome: ImportOutcome) -> JSONValue { .number(outcomes.count { $0 == outcome }) }
        return [
            "added": count(.added), "merged": count(.merged), "unchanged": count(.unchanged),
            "skipped": .array(skipped),
        ]
    }

    /// The Cards of a book, or of one person, sorted by uid: as many as fit an answer, after the uid `after`.
    ///
    /// - Returns: `cards`, `count` of all persons asked for, and `next`: the `after` for more, null if these were all.
    func export(_ parameters: Parameters) throws(RPCError) -> JSONValue {
        let book = try book(parameters)
        let after = try parameters.optional("after").map { UID($0) }
        let persons: [UID]
        if let who = try parameters.optional("who") {
            persons = [try person(who, in: book)[0]]
        } else {
            persons = book.list.index.persons { _ in false }.sorted()
        }
        var cards: [JSONValue] = []
        var bytes = 0
        var next: UID?
        for uid in persons {
            if let after, uid <= after { continue }
            guard let card = book.list.card(ofPersonWith: uid) else { continue }
            let whole = CardWriter.card(card.card, uid: card.uid.text, like: nil)
            bytes += JSONWriter.bytes(.object(whole)).count
            cards.append(.object(whole))
            if cards.count == Self.exportedCards || bytes > Self.exportedBytes {
                next = uid == persons.last ? nil : uid
                break
            }
        }
        return [
            "cards": .array(cards), "count": .number(persons.count),
            "next": next.map { .string($0.text) } ?? .null,
        ]
    }

    /// Cards of one answer, and bytes after which there are no more in it: some milliseconds of the loop.
    private static let exportedCards = 200
    private static let exportedBytes = 1 << 20
}
