import TLS
import AddressBook
import Config
import Contacts
import Controllers
import JSON
import Replication
import Wire

/// What the socket answers: a row a method.
final class Methods {
    typealias Answer = SocketServer.Answer

    unowned let daemon: Daemon
    /// The connection whose person pairs, and the question of it that is open.
    weak var pairingCaller: SocketServer.Connection?
    var pairingAnswer: Answer?
    /// Why it failed.
    var pairingFailure: String?

    init(_ daemon: Daemon) {
        self.daemon = daemon
    }

    func call(_ request: Request, _ connection: SocketServer.Connection, _ answer: @escaping Answer) {
        let parameters = Parameters(request.params)
        do throws(RPCError) {
            switch request.method {
            case "sync": return try sync(parameters, answer)
            case "pair": return try pair(parameters, connection, answer)
            case "unpair": return try unpair(parameters, answer)
            case "verify": return try verify(parameters, answer)
            case "events": return try events(parameters, connection, answer)
            case "import":
                let result = try importCards(parameters, connection)
                return daemon.whenCommitted { answer(.success(result)) }
            case "add", "remove", "merge", "unmerge", "distinct", "shared", "resolve", "restore", "resume",
                "rescan":
                let result = try change(request.method, parameters)
                // Done means durable.
                return daemon.whenCommitted { answer(.success(result)) }
            default:
                answer(.success(try ask(request.method, parameters)))
            }
        } catch { answer(.failure(error)) }
    }

    // MARK: Asking

    private func ask(_ method: String, _ parameters: Parameters) throws(RPCError) -> JSONValue {
        switch method {
        case "id": return ["device": .string(daemon.identity.deviceID)]
        case "status": return daemon.status()
        case "peers": return daemon.peersStatus()
        case "metrics": return ["text": .string(daemon.metrics.text)]
        case "web": return try web()
        case "version": return ["version": .string(Product.version)]
        case "lookup":
            let number = try parameters.text("number")
            let books = try booksAsked(parameters)
            return join(books) { book in
                let key = book.list.factory.key(number)
                let persons = key.map { book.list.persons(on: $0) } ?? self.persons(written: number, in: book)
                return list(persons, book)
            }
        case "search":
            let text = try parameters.text("text")
            return join(try booksAsked(parameters)) { book in list(book.list.search(text), book) }
        case "list":
            let book = try book(parameters)
            return list(nil, book)
        case "show": return try show(parameters)
        case "export": return try export(parameters)
        case "duplicates": return try book(parameters).list.duplicates()
        case "conflicts": return try book(parameters).list.conflicts()
        case "trash": return try book(parameters).list.trash()
        case "history":
            let book = try book(parameters)
            let person = try personOrDeleted(parameters, in: book)
            do { return try book.list.history(person) } catch {
                throw .refused("the history cannot be read: \(error.reason); see `contactsync doctor`")
            }
        default: throw .unknownMethod(method)
        }
    }

    private func show(_ parameters: Parameters) throws(RPCError) -> JSONValue {
        let book = try book(parameters)
        let person = try person(try parameters.text("who"), in: book)
        guard let card = book.list.card(ofPersonWith: person[0]),
            var object = book.list.answer(card, file: book.directory.file(of: person)).object
        else { throw .no("the contact \(person[0].text) is gone; see `contactsync list \(book.name)`") }
        if parameters.flag("sources") {
            object["sources"] = book.list.sources(person) { book.directory.file(of: [$0]) }
        }
        return .object(object)
    }

    private func list(_ persons: [[UID]]?, _ book: Book) -> JSONValue {
        book.list.list(persons) { book.directory.file(of: $0.uids) }
    }

    private func join(_ books: [Book], _ body: (Book) -> JSONValue) -> JSONValue {
        .array(books.flatMap { body($0).array ?? [] })
    }

    /// The persons that write a number which has no key just so.
    private func persons(written number: String, in book: Book) -> [[UID]] {
        book.list.index.persons.filter { person in
            book.list.card(ofPersonWith: person[0])?.phones.contains { $0.number.isExactly(number) } ?? false
        }
    }

    // MARK: Changing

    private func change(_ method: String, _ parameters: Parameters) throws(RPCError) -> JSONValue {
        let book = try book(parameters)
        defer { daemon.wake() }
        switch method {
        case "add": return try add(parameters, book)
        case "rescan":
            book.directory.lookAtEverything()
            return ["rescanned": .string(book.name)]
        case "resume":
            let deleting = parameters.flag("delete")
            guard deleting != parameters.flag("restore") else {
                throw .invalidParams("it is not clear what to decide; say either delete or restore")
            }
            let isHeld = daemon.held(book) != nil
            daemon.resume(book, deleting: deleting)
            var result = JSONObject()
            result["resumed"] = .string(book.name)
            if !isHeld { result["message"] = .string("nothing of \(book.name) was held") }
            return .object(result)
        default: break
        }
        let command: Command
        var preview: [UID]?
        switch method {
        case "remove": command = .remove(try person(try parameters.text("who"), in: book))
        case "restore":
            do { command = .restore(try book.list.deleted(try parameters.text("who"))) } catch let error
                as WhoError
            {
                throw refusal(error)
            } catch let error as RPCError { throw error } catch {
                throw .refused("\(error); see `contactsync trash \(book.name)`")
            }
        case "merge", "distinct":
            let who = try parameters.texts("who")
            guard who.count == 2 else { throw .invalidParams("two contacts are needed; name both") }
            let (a, b) = (try person(who[0], in: book), try person(who[1], in: book))
            guard a[0] != b[0] else {
                throw .refused(
                    "\(who[0]) and \(who[1]) are one contact already; see `contactsync show \(book.name) --sources`"
                )
            }
            if method == "merge", a.count + b.count > Catalog.recordsOfPerson {
                throw .refused(
                    "together \(who[0]) and \(who[1]) would be more than \(Catalog.recordsOfPerson) records, which no contact may be; remove some of them first, `contactsync show \(book.name) --sources` lists them"
                )
            }
            preview = parameters.flag("preview") ? a + b : nil
            command = method == "merge" ? .merge(a, b) : .distinguish(a, b)
        case "unmerge": command = try unmerge(try parameters.texts("who"), book)
        case "shared":
            let number = try parameters.text("number")
            guard let key = book.list.factory.key(number) else {
                throw .refused("\(number) is no valid number here; write it with its country code")
            }
            command = .share(key: key, parameters.flag("not") ? .no : .yes)
        case "resolve": command = try resolve(parameters, book)
        default: throw .unknownMethod(method)
        }
        if let preview {
            let records = preview.compactMap { book.list.record($0) }
            return book.list.answer(PersonCard(PersonCard.ordered(records)), file: nil)
        }
        let done = daemon.command(book) { $0.add(command) }
        return ["uids": .array(done.uids.filter { !$0.isBook }.map { .string($0.text) })]
    }

    private func add(_ parameters: Parameters, _ book: Book) throws(RPCError) -> JSONValue {
        var plain = JSONObject()
        for name in ["name", "phone", "email"] {
            if let text = try parameters.optional(name) { plain[name] = .string(text) }
        }
        for name in ["phones", "emails"] {
            if let texts = parameters.object[name] { plain[name] = texts }
        }
        let contact: ContactItem
        do { contact = try ContactItem.read(.object(plain)) } catch {
            throw .invalidParams("this is no contact: \(error.reason); correct that")
        }
        // A contact that a person adds is a new one, whatever others say the same.
        let uid = UID("urn:uuid:" + daemon.randomUUID())
        _ = daemon.command(book) { add in add.add(add.saved(contact), uid: uid) }
        return ["uid": .string(uid.text)]
    }

    private func unmerge(_ uids: [String], _ book: Book) throws(RPCError) -> Command {
        let named = uids.map { UID($0) }
        guard let first = named.first, let whole = book.list.index.person(of: first) else {
            throw .no(
                "there is no contact with the uid \(uids.first ?? ""); see `contactsync list \(book.name)`"
            )
        }
        for uid in named where !whole.contains(uid) {
            throw .refused(
                "\(uid.text) is no part of \(name(whole, book)); see `contactsync show \(book.name) \(whole[0].text) --sources`"
            )
        }
        let rest = whole.filter { !named.contains($0) }
        guard !rest.isEmpty else {
            throw .refused("these are all parts of the contact; name those to be taken out")
        }
        return .distinguish(named, rest)
    }

    private func resolve(_ parameters: Parameters, _ book: Book) throws(RPCError) -> Command {
        let who = try person(try parameters.text("who"), in: book)
        let field = FieldKey(raw: try parameters.text("field"))
        guard let value = parameters.object["value"] else {
            throw .invalidParams("the value is missing; give one")
        }
        guard let card = book.list.card(ofPersonWith: who[0]), let item = card.items[field] else {
            throw .no("\(name(who, book)) has no field \(field); see `contactsync conflicts \(book.name)`")
        }
        let conflict = card.conflicts.first { $0.field == field }
        var chosen = value
        var key: String?
        if let kept = conflict?.others.first(where: { ListController.id($0.source) == value.string }) {
            chosen = kept.version.value ?? .null
            key = kept.version.key
        } else if let text = value.string, let object = item.value.object {
            // People write the text; it stands in the place that holds it.
            chosen =
                (try? JSONReader.value(Array(text.utf8))).flatMap { $0.object != nil ? $0 : nil } ?? value
            if chosen.string != nil,
                let member = ["number", "address", "note", "name", "full", "uri"].first(where: {
                    object[$0] != nil
                })
            {
                var changed = object
                changed[member] = value
                chosen = .object(changed)
            }
        }
        if let number = chosen.object?["number"]?.string, field.member == "phones" {
            key = key ?? book.list.factory.key(number)
        }
        do {
            _ = try ContactItem.read(
                .object(CardFields.join([(field, chosen)] + [(FieldKey(member: "@type"), "Card")]))
            )
        } catch {
            throw .invalidParams(
                "this cannot be the \(field) of \(name(who, book)): \(error.reason); give another value"
            )
        }
        let sources =
            item.sources + (conflict?.others.map(\.source) ?? []).filter { !item.sources.contains($0) }
        return .resolve(sources, chosen, phoneKey: key)
    }

    // MARK: Waiting

    /// Waits until all configured peers are connected and hold what we hold, and the other way round.
    private func sync(_ parameters: Parameters, _ answer: @escaping Answer) throws(RPCError) {
        let seconds = try parameters.number("timeout") ?? 30
        daemon.syncs.wait(milliseconds: UInt64(max(0, seconds) * 1000)) { reason in
            answer(
                .success([
                    "inSync": .bool(reason == nil), "reason": reason.map { .string($0) } ?? .null,
                ])
            )
        }
    }

    private func verify(_ parameters: Parameters, _ answer: @escaping Answer) throws(RPCError) {
        let book = try book(parameters)
        daemon.verify(book) { outcome in answer(outcome) }
    }

    // MARK: Who and what

    func book(_ parameters: Parameters) throws(RPCError) -> Book {
        let name = try parameters.text("book")
        guard let book = daemon.books.first(where: { $0.name == name }) else {
            throw .no(
                "there is no book \(name); name one of: \(daemon.books.map(\.name).joined(separator: ", "))"
            )
        }
        return book
    }

    private func booksAsked(_ parameters: Parameters) throws(RPCError) -> [Book] {
        parameters.object["book"] == nil ? daemon.books : [try book(parameters)]
    }

    func person(_ who: String, in book: Book) throws(RPCError) -> [UID] {
        do { return try book.list.person(who) } catch { throw refusal(error) }
    }

    private func personOrDeleted(_ parameters: Parameters, in book: Book) throws(RPCError) -> [UID] {
        let who = try parameters.text("who")
        do { return try book.list.person(who) } catch {
            guard case .notFound = error else { throw refusal(error) }
        }
        do { return try book.list.deleted(who) } catch { throw refusal(error) }
    }

    /// What people call a contact.
    private func name(_ person: [UID], _ book: Book) -> String {
        book.list.card(ofPersonWith: person[0])?.name ?? person[0].text
    }

    private func refusal(_ error: WhoError) -> RPCError {
        switch error {
        case .notFound(let who): .no("nobody is found by \(who); see `contactsync search`")
        case .ambiguous(let who, let uids):
            .refused("\(who) fits several: \(uids.map(\.text).joined(separator: ", ")); say which by its uid")
        }
    }
}
