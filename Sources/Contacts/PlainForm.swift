import JSON

/// The project's own short form: `name`, `phone` or `phones`, `email` or `emails`, `uid`, and whatever else.
enum PlainForm {
    /// One kind of entry of the form: its two spellings, and what they are in a Card.
    struct Entries {
        let one: String
        let many: String
        let property: String
        let idPrefix: String
    }

    static let phones = Entries(
        one: CardKey.phone,
        many: CardKey.phones,
        property: CardKey.number,
        idPrefix: "p"
    )
    static let emails = Entries(
        one: CardKey.email,
        many: CardKey.emails,
        property: CardKey.address,
        idPrefix: "e"
    )

    /// Turns an object of the form into a Card.
    ///
    /// `null` and empty text say nothing. A number may be a JSON integer, read digit for digit. An entry given twice
    /// with the same text is one. A member that RFC 9553 registers must have its type here too: a peer will write the
    /// contact as a Card.
    static func read(_ object: JSONObject) throws(CardError) -> ContactItem {
        var card = JSONObject()
        var uid: String?
        var isUsable = false
        for member in object {
            switch member.key {
            case CardKey.name:
                guard let name = try text(member.value, at: [.key(CardKey.name)]), !name.utf8.isEmpty else {
                    continue
                }
                card[CardKey.name] = [CardKey.full: .string(name)]
                isUsable = isUsable || !PersonName(name).isEmpty
            case CardKey.phone, CardKey.phones:
                try read(member, as: phones, into: &card)
            case CardKey.email, CardKey.emails:
                try read(member, as: emails, into: &card)
            case CardKey.uid:
                uid = try text(member.value, at: [.key(CardKey.uid)])
            default:
                if CardSchema.isRegistered(member.key) {
                    let type = CardSchema.type(atPointer: member.key)
                    try type?.check(member.value, at: .key(member.key))
                    let isEmpty = member.value.object?.isEmpty ?? false
                    isUsable = isUsable || !isEmpty && !CardSchema.metadata.contains(member.key)
                }
                card[member.key] = member.value
            }
        }
        guard isUsable || card[CardKey.phones] != nil || card[CardKey.emails] != nil else {
            throw CardError([], "a contact needs a name, a phone or an email; there is none")
        }
        return ContactItem(form: .plain, uid: uid.flatMap { $0.utf8.isEmpty ? nil : $0 }, card: card)
    }

    /// The texts of one member: a text, an integer, or an array of either.
    static func texts(_ value: JSONValue, at path: [JSONStep]) throws(CardError) -> [String] {
        guard let elements = value.array else { return [try entry(value, at: path)].compactMap(\.self) }
        var texts: [String] = []
        for (n, element) in elements.enumerated() {
            if let text = try entry(element, at: path + [.index(n)]) { texts.append(text) }
        }
        return texts
    }

    private static func read(
        _ member: JSONObject.Member,
        as entries: Entries,
        into card: inout JSONObject
    ) throws(CardError) {
        var map = card[entries.many]?.object ?? JSONObject()
        for text in try texts(member.value, at: [.key(member.key)]) {
            let entry: JSONValue = .object(
                JSONObject(uniqueMembers: [JSONObject.Member(key: entries.property, value: .string(text))])
            )
            if !map.contains(where: { $0.value == entry }) {
                map[entries.idPrefix + String(map.count + 1)] = entry
            }
        }
        if !map.isEmpty { card[entries.many] = .object(map) }
    }

    /// Nil for what says nothing.
    private static func entry(_ value: JSONValue, at path: [JSONStep]) throws(CardError) -> String? {
        if case .number(let digits) = value {
            guard digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
                throw CardError(path, "must be a string or an integer, not \(digits)")
            }
            return digits
        }
        let text = try text(value, at: path)
        return text?.allSatisfy(\.isWhitespace) ?? true ? nil : text
    }

    private static func text(_ value: JSONValue, at path: [JSONStep]) throws(CardError) -> String? {
        if value.isNull { return nil }
        guard let text = value.string else {
            throw CardError(path, "must be a string, not \(value.kindInWords)")
        }
        return text
    }
}
