package import AddressBook
import Contacts
package import JSON
package import Replication

/// What the socket answers about a book, in the shapes that scripts rely on.
extension ListController {
    /// A person as `list` shows it.
    ///
    /// - Parameter file: the person's file below the directory.
    package func answer(_ card: PersonCard, file: String?) -> JSONValue {
        [
            "uid": .string(card.uid.text),
            "uids": .array(card.uids.map { .string($0.text) }),
            "name": card.name.map { .string($0) } ?? .null,
            "kind": .string(card.kind),
            "phones": .array(
                card.phones.map {
                    ["number": .string($0.number), "key": $0.key.map { .string($0) } ?? .null]
                }
            ),
            "file": file.map { .string($0) } ?? .null,
            "card": .object(CardWriter.card(card.card, uid: card.uid.text, like: nil)),
        ]
    }

    /// All persons, or those with these uids, sorted by name, then uid.
    package func list(
        _ persons: [[UID]]? = nil,
        file: (PersonCard) -> String?
    ) -> JSONValue {
        let cards = (persons ?? index.persons).compactMap { card(ofPersonWith: $0[0]) }
        let keyed = cards.map { (name: ExactString($0.name ?? ""), card: $0) }
        return .array(
            keyed.sorted { a, b in a.name != b.name ? a.name < b.name : a.card.uid < b.card.uid }
                .map { answer($0.card, file: file($0.card)) }
        )
    }

    /// The persons in whose names, numbers, addresses or other text the words occur.
    package func search(_ text: String) -> [[UID]] {
        let words = PersonName(text).words
        guard !words.isEmpty else { return [] }
        return index.persons.filter { person in
            guard let card = card(ofPersonWith: person[0]) else { return false }
            var said = ""
            Self.strings(.object(card.card), into: &said)
            for phone in card.phones { said += " " + (phone.key ?? "") }
            let folded = PersonName(said).folded
            return words.allSatisfy { folded.contains($0) }
        }
    }

    private static func strings(_ value: JSONValue, into text: inout String) {
        switch value {
        case .string(let string): text += " " + string
        case .array(let elements): for element in elements { strings(element, into: &text) }
        case .object(let object): for member in object { strings(member.value, into: &text) }
        default: break
        }
    }

    /// The records behind a person, and who wrote what.
    package func sources(_ person: [UID], file: (UID) -> String?) -> JSONValue {
        .array(
            person.compactMap { uid -> JSONValue? in
                guard let record = record(uid) else { return nil }
                var fields = JSONObject()
                var first: Version?
                for (key, versions) in record.fields.sorted(by: { $0.key < $1.key }) where !key.isOwn {
                    let list = versions.sorted { $0.key < $1.key }.map { _, version -> JSONValue in
                        [
                            "value": version.value ?? .null, "session": .string(version.session),
                            "time": .string(Timestamp.text(version.time.milliseconds)),
                            "key": version.key.map { .string($0) } ?? .null,
                        ]
                    }
                    for version in versions.values where first.map({ version.time < $0.time }) ?? true {
                        first = version
                    }
                    fields[key.text.text] = .array(list)
                }
                return [
                    "uid": .string(uid.text), "device": .string(device(first?.session ?? "")),
                    "file": file(uid).map { .string($0) } ?? .null, "fields": .object(fields),
                ]
            }
        )
    }

    /// Values that are kept and not shown.
    package func conflicts() -> JSONValue {
        .array(
            index.persons.flatMap { person -> [JSONValue] in
                guard let card = card(ofPersonWith: person[0]) else { return [] }
                return card.conflicts.map { conflict in
                    [
                        "uid": .string(card.uid.text),
                        "name": card.name.map { .string($0) } ?? .null,
                        "field": .string(conflict.field.text.text), "shown": conflict.shown,
                        "others": .array(
                            conflict.others.map { other in
                                [
                                    "id": .string(Self.id(other.source)),
                                    "value": other.version.value ?? .null,
                                    "device": .string(device(other.version.session)),
                                    "session": .string(other.version.session),
                                    "time": .string(Timestamp.text(other.version.time.milliseconds)),
                                ]
                            }
                        ),
                    ]
                }
            }
        )
    }

    /// The device ID of the machine that a session ID names by its first digits; of one that is no peer of ours there
    /// are only these.
    package func device(_ session: String) -> String {
        let digits = String(session.prefix(SessionID.deviceDigits))
        guard digits.utf8.count == SessionID.deviceDigits else { return digits }
        return knownDevices().first { $0.hasPrefix(digits) } ?? digits
    }

    /// The name that the list of conflicts gives a value.
    package static func id(_ source: Source) -> String {
        "\(source.dot.replica.hex)-\(String(source.dot.counter, radix: 16))"
    }

    /// What happened to a person's records, newest first.
    package func history(_ person: [UID], limit: Int = 1000) throws(StoreFailure) -> JSONValue {
        var rows: [HistoryRow] = history.filter { person.contains($0.uid) }
        for uid in person { rows += try store.history(settings.id, uid, limit: limit) }
        return .array(
            rows.sorted { $0.time > $1.time }.prefix(limit).map { row in
                [
                    "time": .string(Timestamp.text(row.time)),
                    "device": .string(device(row.session)),
                    "session": .string(row.session), "origin": .string(row.origin),
                    "what": .string(row.what), "fields": .array(row.fields.map { .string($0) }),
                ]
            }
        )
    }

    /// The deleted contacts that can be restored, newest first; of one act with several records one line each.
    package func trash() -> JSONValue {
        .array(
            kept.sorted { a, b in a.value.time != b.value.time ? a.value.time > b.value.time : a.key < b.key }
                .map { uid, note in
                    [
                        "uid": .string(uid.text), "name": note.name.map { .string($0) } ?? .null,
                        "deleted": .string(Timestamp.text(note.time.milliseconds)),
                        "device": .string(device(note.session)), "session": .string(note.session),
                    ]
                }
        )
    }

    /// What shares a number and is not merged, with the reason.
    package func duplicates() -> JSONValue {
        .array(
            index.candidatesNotJoined().map { entry in
                [
                    "key": .string(entry.key),
                    "persons": .array(
                        entry.persons.map { person in
                            [
                                "uid": .string(person[0].text),
                                "name": card(ofPersonWith: person[0])?.name.map { .string($0) } ?? .null,
                            ]
                        }
                    ),
                    "reason": .string(entry.reason.rawValue),
                ]
            }
        )
    }
}
