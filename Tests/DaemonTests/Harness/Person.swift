import JSON

/// A contact as `list` shows it.
struct Person {
    var uid: String
    var uids: [String]
    /// The full name; nil for none.
    var name: String?
    var kind: String?
    var phones: [Phone]
    /// The file that keeps it, by its name in the book's directory.
    var file: String?
    var card: JSONObject

    struct Phone {
        var number: String
        /// The number as all machines know it; nil where it is valid nowhere.
        var key: String?

        /// What a number is compared by: its key, else its text.
        var value: String { key ?? number }
    }

    init(_ value: JSONValue) throws {
        guard let uid = value["uid"]?.string, let phones = value["phones"]?.array,
            let card = value["card"]?.object
        else {
            throw Failure(
                "an item of `list` lacks uid, phones or card: \(JSONWriter.text(value).shortened(to: 120))"
            )
        }
        self.uid = uid
        uids = value["uids"]?.texts ?? []
        let name = value["name"]?.string ?? ""
        self.name = name.isEmpty ? nil : name
        kind = value["kind"]?.string
        self.phones = phones.map { Phone(number: $0["number"]?.string ?? "", key: $0["key"]?.string) }
        file = value["file"]?.string
        self.card = card
    }

    /// The objects of an Id map of the card.
    func entries(_ member: String) -> [JSONValue] { card[member]?.object?.map(\.value) ?? [] }

    /// Whether the contact is known by this uid.
    func isKnown(by uid: String) -> Bool { ([self.uid] + uids).contains { $0.isExactly(uid) } }

    /// Name and numbers, for a failure's sentence.
    var brief: String { "\(name ?? "(no name)") \(phones.map(\.value))" }
}
