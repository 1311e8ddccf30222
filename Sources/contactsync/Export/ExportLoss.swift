import Contacts
import JSON

/// Something of a contact that the form of an export has no place for.
struct ExportLoss: Equatable {
    let uid: String
    let name: String
    /// The path in the Card.
    let property: String
    let reason: String

    init(_ card: JSONObject, property: String, reason: String) {
        uid = card["uid"]?.string ?? ""
        name = PersonName.shown(card["name"]) ?? uid
        self.property = property
        self.reason = reason
    }

    var json: JSONValue {
        [
            "uid": .string(uid), "name": .string(name), "property": .string(property),
            "reason": .string(reason),
        ]
    }
}
