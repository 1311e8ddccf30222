import AddressBook
import Contacts
import JSON
import Replication
import TestSupport

/// Records and cards for tests, written by hand.
enum CardBuilder {
    static func key(_ raw: String) -> FieldKey { FieldKey(raw: raw) }

    /// A record with one version a field: the dot's counter is the place in the list, its replica as given.
    static func record(
        _ uid: String,
        replica: UInt64 = 1,
        from first: UInt64 = 1,
        _ fields: [(String, JSONValue)]
    ) -> Record {
        var record = Record(uid: UID(uid))
        var counter = first
        for (name, value) in [("@alive", true)] + fields {
            let number = value.object?["number"]?.string
            record.put(
                key(name),
                Version(
                    time: HybridTime(bits: counter),
                    session: "s",
                    value: value,
                    key: number.flatMap { $0.hasPrefix("+") ? digits($0) : nil }
                ),
                dot: Dot(replica: ReplicaID(replica), counter: counter),
                over: []
            )
            counter += 1
        }
        return record
    }

    /// A number's key here: its plus and its digits.
    static func digits(_ number: String) -> String { number.filter { $0 == "+" || $0.isNumber } }

    /// A card as a file would hold it.
    static func saved(_ text: String) throws -> SavedCard {
        let item = try ContactItem.read(try JSONReader.value(Array(text.utf8)))
        return SavedCard(item.card, isPlain: item.form == .plain, hash: .test) {
            $0.hasPrefix("+") ? digits($0) : nil
        }
    }

    static func json(_ text: String) throws -> JSONValue { try JSONReader.value(Array(text.utf8)) }

    static func text(_ object: JSONObject) -> String { JSONWriter.text(.object(object), .canonical) }

    static func card(_ records: [Record]) -> PersonCard { PersonCard(PersonCard.ordered(records)) }
}
