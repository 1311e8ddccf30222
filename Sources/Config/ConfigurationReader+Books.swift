extension ConfigurationReader {
    /// The `[books.…]` tables, sorted by name.
    mutating func readBooks(_ members: [TOMLValue.Member], state: String) -> [Configuration.Book] {
        var books: [(book: Configuration.Book, place: TOMLValue)] = []
        for member in members.sorted(by: { $0.key < $1.key }) {
            guard let book = readBook(member) else { continue }
            check(book, member.value, against: books, state: state)
            books.append((book, member.value))
        }
        return books.map(\.book)
    }

    private mutating func readBook(_ member: TOMLValue.Member) -> Configuration.Book? {
        guard
            var table = TableReader(
                member.value,
                title: "[books.\(member.key)]",
                keys: ConfigKey.book,
                &problems
            )
        else {
            return nil
        }
        if let flaw = Self.nameFlaw(member.key) { problems.add(member.value, "the name of a book \(flaw)") }
        let directory = path("directory", of: &table, example: "~/Contacts")
        var book = Configuration.Book(name: member.key, directory: directory ?? "")
        book.region = region(&table)
        if let policy = policy(&table) { book.deduplicate = policy }
        if let limit = deletionLimit(&table) { book.deletionLimit = limit }
        let days = 0...36_500  // a century: more is a slip of the finger
        if let kept = table.integer("keep-deleted", unit: "days", in: days, &problems) {
            book.keepDeleted = kept
        }
        if let limit = size("trash-limit", of: &table, example: "256 MiB") { book.trashLimit = limit }
        let seconds = 1...31_536_000  // a year, for the same reason
        if let interval = table.integer("rescan-interval", unit: "seconds", in: seconds, &problems) {
            book.rescanInterval = interval
        }
        table.finish(&problems)
        if directory == nil, !table.has("directory") {
            problems.add(
                member.value,
                "book \(member.key) has no directory; add a line directory = \"~/Contacts\" below [books.\(member.key)]"
            )
        }
        return directory == nil ? nil : book
    }

    private mutating func check(
        _ book: Configuration.Book,
        _ place: TOMLValue,
        against others: [(book: Configuration.Book, place: TOMLValue)],
        state: String
    ) {
        let own = PathText.resolved(book.directory)
        for (other, _) in others {
            let its = PathText.resolved(other.directory)
            if own == its {
                problems.add(
                    place,
                    "books \(other.name) and \(book.name) are on one directory, \(book.directory); give each its own"
                )
            } else if PathText.isSameOrBelow(own, its) || PathText.isSameOrBelow(its, own) {
                problems.add(
                    place,
                    "the directories of books \(other.name) (\(other.directory)) and \(book.name) "
                        + "(\(book.directory)) lie one below the other; place them side by side"
                )
            }
        }
        if own == PathText.resolved(state) {
            problems.add(
                place,
                "book \(book.name) is on the state directory, \(state); give it another directory"
            )
        }
    }

    private mutating func region(_ table: inout TableReader) -> String? {
        guard let (text, value) = table.text("region", example: "DE", &problems) else { return nil }
        let region = text.uppercased()
        guard region.utf8.count == 2, region.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
            problems.add(
                value,
                "region \"\(text)\" is no country code; write the two letters of ISO 3166, such as \"DE\""
            )
            return nil
        }
        return region
    }

    private mutating func policy(_ table: inout TableReader) -> Configuration.Book.Deduplicate? {
        guard let (text, value) = table.text("deduplicate", example: "phone", &problems) else { return nil }
        if let policy = Configuration.Book.Deduplicate(rawValue: text) { return policy }
        let known = Configuration.Book.Deduplicate.allCases.map(\.rawValue)
        let nearest = EditDistance.nearest(to: text, in: known) ?? "phone"
        problems.add(
            value,
            "deduplicate \"\(text)\" is none of \(known.joined(separator: ", ")); did you mean \"\(nearest)\"?"
        )
        return nil
    }

    private mutating func deletionLimit(_ table: inout TableReader) -> Int? {
        guard let value = table.take("deletion-limit") else { return nil }
        switch value.content {
        case .string(let text):
            if let percent = Quantity.percent(text) { return percent }
        case .integer(let number) where (0...100).contains(number): return Int(number)
        default: break
        }
        problems.add(
            value,
            "deletion-limit must be a percentage from \"0%\" to \"100%\"; write it as \"30%\""
        )
        return nil
    }

    /// A number of bytes, or a text with a unit.
    mutating func size(_ key: String, of table: inout TableReader, example: String) -> Int? {
        guard let value = table.take(key) else { return nil }
        switch value.content {
        case .string(let text):
            if let bytes = Quantity.bytes(text) { return bytes }
        case .integer(let number) where number >= 0: return Int(number)
        default: break
        }
        problems.add(value, "\(key) must be a size or a number of bytes; write it as \"\(example)\"")
        return nil
    }
}
