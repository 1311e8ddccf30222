import Contacts
import JSON
package import Replication

extension Profile {
    /// What persons need to know of an alive record.
    package init(_ record: Record) {
        let card = Judged(record)
        func others(_ prefix: String) -> [UID] {
            // By bytes: a uid may begin with a combining character, which Swift counts with the slash.
            record.fields.keys.compactMap { key in
                let text = key.text.text.utf8
                guard text.starts(with: prefix.utf8) else { return nil }
                return UID(String(Substring(text.dropFirst(prefix.utf8.count))))
            }.sorted()
        }
        self.init(
            uid: record.uid,
            isMade: MadeUID.isMade(record.uid.text),
            name: PersonName(card.name ?? ""),
            kind: card.kind,
            phones: card.phones,
            same: others("@same/"),
            apart: others("@distinct/")
        )
    }

    /// Name, kind and numbers as the card of the record shows them.
    private struct Judged {
        var name: String?
        var kind = Profile.individual
        var phones: [String: Bool] = [:]

        init(_ record: Record) {
            // Only what is judged is composed: photos and notes are many times larger.
            let fields = record.fields.filter { key, _ in
                key == .name || key == Profile.kindKey || key.hasEntry && key.isOf("phones")
            }
            guard !read(fields) else { return }
            var judged = Record(uid: record.uid)
            judged.fields = fields
            let card = PersonCard([judged])
            (name, kind, phones) = (card.name, card.kind, [:])
            for (key, item) in card.items where key.hasEntry && key.isOf("phones") {
                let marked = Profile.isMarked(item.value)
                for phoneKey in item.phoneKeys {
                    phones[phoneKey] = phones[phoneKey, default: false] || marked
                }
            }
        }

        /// Reads what has one value everywhere and says no number twice, as nearly all records do, without composing.
        ///
        /// - Returns: whether that was so.
        private mutating func read(_ fields: Fields) -> Bool {
            var numbers: Set<ExactString> = []
            for (key, versions) in fields {
                guard versions.count == 1, let version = versions.first?.value, let value = version.value
                else {
                    return false
                }
                if key == .name {
                    name = PersonName.shown(value)
                } else if key == Profile.kindKey {
                    kind = value.string ?? Profile.individual
                } else {
                    if let number = value.object?["number"]?.string,
                        !numbers.insert(ExactString(number)).inserted
                    {
                        return false
                    }
                    guard let phoneKey = version.key else { continue }
                    if phones.updateValue(Profile.isMarked(value), forKey: phoneKey) != nil { return false }
                }
            }
            return true
        }
    }

    fileprivate static let kindKey = FieldKey(member: "kind")

    /// Whether a number is marked as no one's own.
    fileprivate static func isMarked(_ phone: JSONValue) -> Bool {
        guard let features = phone.object?["features"]?.object else { return false }
        return ["main-number", "fax", "pager"].contains { features[$0]?.bool == true }
    }
}

extension SharedMark {
    /// What the book's record says of numbers: of concurrent words yes counts before no, no before found.
    package static func marks(in record: Record) -> [(key: String, mark: SharedMark)] {
        let prefix = "@shared/"
        return record.fields.compactMap { key, versions in
            guard key.text.text.hasPrefix(prefix) else { return nil }
            let said = versions.values.compactMap { $0.value?.string.flatMap(SharedMark.init(rawValue:)) }
            let mark = said.contains(.yes) ? SharedMark.yes : said.contains(.no) ? .no : said.first
            return mark.map { (String(key.text.text.dropFirst(prefix.count)), $0) }
        }
    }
}
