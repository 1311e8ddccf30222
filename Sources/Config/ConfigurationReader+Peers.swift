extension ConfigurationReader {
    /// The `[peers.…]` tables, sorted by name.
    mutating func readPeers(_ members: [TOMLValue.Member], books: [String]) -> [Configuration.Peer] {
        var peers: [Configuration.Peer] = []
        for member in members.sorted(by: { $0.key < $1.key }) {
            guard let peer = readPeer(member, books: books) else { continue }
            if let other = peers.first(where: { $0.id == peer.id && !peer.id.isEmpty }) {
                problems.add(
                    member.value,
                    "peers \(other.name) and \(peer.name) have one id, so they are one machine; remove one of them"
                )
            }
            peers.append(peer)
        }
        return peers
    }

    private mutating func readPeer(_ member: TOMLValue.Member, books: [String]) -> Configuration.Peer? {
        guard
            var table = TableReader(
                member.value,
                title: "[peers.\(member.key)]",
                keys: ConfigKey.peer,
                &problems
            )
        else {
            return nil
        }
        if let flaw = Self.nameFlaw(member.key) { problems.add(member.value, "the name of a peer \(flaw)") }
        let peer = Configuration.Peer(
            name: member.key,
            id: id(&table, member) ?? "",
            address: address(&table),
            books: sharedBooks(&table, known: books),
            access: access(&table) ?? .write,
            line: member.value.line
        )
        table.finish(&problems)
        return peer
    }

    private mutating func id(_ table: inout TableReader, _ member: TOMLValue.Member) -> String? {
        guard let value = table.take("id") else {
            problems.add(
                member.value,
                "peer \(member.key) has no id; add the one that `contactsync id` prints there"
            )
            return nil
        }
        guard case .string(let text) = value.content else {
            problems.add(value, "id must be a text, but is \(value.kindName); put it in quotes")
            return nil
        }
        let digits = text.lowercased().filter { $0 != ":" && $0 != "-" && !$0.isWhitespace }
        guard digits.utf8.count == 64,
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else {
            problems.add(
                value,
                "the id of peer \(member.key) is not 64 hex digits; copy what `contactsync id` prints there"
            )
            return nil
        }
        return digits
    }

    private mutating func address(_ table: inout TableReader) -> Configuration.Peer.Address? {
        guard let (text, value) = table.text("address", example: "desktop.lan:8749", &problems) else {
            return nil
        }
        do throws(HostPort.Flaw) {
            return try Configuration.Peer.Address(text)
        } catch {
            problems.add(value, "address \"\(text)\": \(error.reason); write it as \"desktop.lan:8749\"")
            return nil
        }
    }

    private mutating func access(_ table: inout TableReader) -> Configuration.Peer.Access? {
        guard let (text, value) = table.text("access", example: "read", &problems) else { return nil }
        if let access = Configuration.Peer.Access(rawValue: text) { return access }
        let known = Configuration.Peer.Access.allCases.map(\.rawValue)
        let nearest = EditDistance.nearest(to: text, in: known) ?? "write"
        problems.add(value, "access is \"write\" or \"read\", not \"\(text)\"; did you mean \"\(nearest)\"?")
        return nil
    }

    private mutating func sharedBooks(_ table: inout TableReader, known: [String]) -> [String] {
        guard let value = table.take("books") else { return [] }
        guard case .array(let elements) = value.content else {
            problems.add(
                value,
                "books must be a list of names, but is \(value.kindName); write it as books = [\"personal\"]"
            )
            return []
        }
        var books: Set<String> = []
        for element in elements {
            guard case .string(let name) = element.content else {
                problems.add(
                    element,
                    "a book's name must be a text, but this is \(element.kindName); put it in quotes"
                )
                continue
            }
            if known.contains(name) {
                books.insert(name)
            } else {
                let nearest = EditDistance.nearest(to: name, in: known).map { "did you mean \"\($0)\"?" }
                problems.add(
                    element,
                    "there is no book \"\(name)\" in this file; \(nearest ?? "add a table [books.\(name)]")"
                )
            }
        }
        return books.sorted()
    }
}
