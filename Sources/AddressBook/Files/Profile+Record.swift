import Contacts
import JSON
package import Replication

extension Profile {
    /// What persons need to know of an alive record.
    package init(_ record: Record) {
        // Only what is judged is composed: photos and notes are many times larger.
        var judged = Record(uid: record.uid)
        for (key, versions) in record.fields
        where key == .name || key == Self.kindKey || key.entry != nil && key.member == "phones" {
            judged.fields[key] = versions
        }
        let card = PersonCard([judged])
        var phones: [String: Bool] = [:]
        for (key, item) in card.items where key.entry != nil && key.member == "phones" {
            let marked = Self.isMarked(item.value)
            for phoneKey in item.phoneKeys { phones[phoneKey] = phones[phoneKey, default: false] || marked }
        }
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
            phones: phones,
            same: others("@same/"),
            apart: others("@distinct/")
        )
    }

    private static let kindKey = FieldKey(member: "kind")

    /// Whether a number is marked as no one's own.
    private static func isMarked(_ phone: JSONValue) -> Bool {
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
