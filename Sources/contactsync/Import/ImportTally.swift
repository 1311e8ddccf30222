import JSON

/// What became of the contacts of all files.
struct ImportTally {
    /// A contact that was not taken.
    struct Skipped {
        let file: String
        /// Its place in the file, from 0.
        let item: Int
        let line: Int
        let reason: String
    }

    private(set) var added: Int64 = 0
    private(set) var merged: Int64 = 0
    private(set) var unchanged: Int64 = 0
    private(set) var skipped: [Skipped] = []

    /// Adds what the daemon said of a portion, the skipped ones apart.
    mutating func add(_ result: JSONValue) {
        added += result.number("added") ?? 0
        merged += result.number("merged") ?? 0
        unchanged += result.number("unchanged") ?? 0
    }

    mutating func skip(_ contact: Skipped) { skipped.append(contact) }

    /// How many contacts were looked at.
    var count: Int64 { added + merged + unchanged + Int64(skipped.count) }

    /// The shape that scripts rely on.
    var json: JSONValue {
        [
            "added": .number(added), "merged": .number(merged), "unchanged": .number(unchanged),
            "skipped": .array(
                skipped.map { contact in
                    [
                        "file": .string(contact.file), "item": .number(contact.item),
                        "line": .number(contact.line),
                        "reason": .string(contact.reason),
                    ]
                }
            ),
        ]
    }

    /// A sentence, and a line for each contact that was skipped.
    func show(_ page: inout Page, isRehearsal: Bool) {
        guard count > 0 else { return page.line("there are no contacts in these files") }
        let numbers = [
            (added, "added"), (merged, "merged"), (unchanged, "unchanged"), (Int64(skipped.count), "skipped"),
        ]
        let said = numbers.filter { $0.0 > 0 }.map { "\(WorkBars.grouped($0.0)) \($0.1)" }.joined(
            separator: ", "
        )
        page.line(isRehearsal ? "nothing was written; it would be: \(said)" : said)
        for contact in skipped { page.line("  \(contact.file):\(contact.line): \(contact.reason)") }
    }
}
