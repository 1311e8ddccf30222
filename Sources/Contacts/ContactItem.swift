package import JSON

/// One contact as a file or a person gave it, in the form of a Card whatever form it had.
package struct ContactItem: Sendable {
    /// How the contact was written.
    package enum Form: Hashable, Sendable {
        /// A JSContact Card.
        case card
        /// `{"name": …, "phone": …}`
        case plain
    }

    /// How it was written.
    package let form: Form
    /// Nil when absent or empty.
    package let uid: String?
    /// The members of the Card without `@type` and `uid`; `version` only if the item had one. The plain form's
    /// numbers and addresses are entries `p1`, `p2` …, `e1`, `e2` …; unknown members are as they were.
    package let card: JSONObject

    /// Takes one item of a file.
    ///
    /// Throws for what is no contact: anything but an object, another `@type`, an object with nothing usable, and a
    /// registered property (RFC 9553) of the wrong type at any depth. A property that is missing, and what a string
    /// holds, is never an error.
    package static func read(_ value: JSONValue) throws(CardError) -> ContactItem {
        guard let object = value.object else {
            throw CardError([], "a contact must be an object, not \(value.kindInWords)")
        }
        if let type = object[CardKey.type] {
            guard type == "Card" else {
                throw CardError([.key(CardKey.type)], "must be \"Card\", not \(JSONWriter.text(type))")
            }
            return try readCard(object)
        }
        let isCard =
            object[CardKey.version] != nil
            || [CardKey.name, CardKey.phones, CardKey.emails].contains { object[$0]?.object != nil }
        guard isCard else { return try PlainForm.read(object) }
        for key in [CardKey.phone, CardKey.email] where object[key] != nil {
            throw CardError([.key(key)], "belongs to the plain form, and this is a Card")
        }
        return try readCard(object)
    }

    private static func readCard(_ object: JSONObject) throws(CardError) -> ContactItem {
        try CardSchema.card.check(.object(object))
        var card = object
        card[CardKey.type] = nil
        card[CardKey.uid] = nil
        let uid = object[CardKey.uid]?.string.flatMap { $0.utf8.isEmpty ? nil : $0 }
        // With a uid an empty Card is valid (RFC 9553, 2.1), and stands for somebody.
        let saysSomething = card.contains { member in
            let isEmpty = member.value.object?.isEmpty ?? false
            return !CardSchema.metadata.contains(member.key) && !isEmpty && !member.value.isNull
        }
        guard uid != nil || saysSomething else { throw CardError([], "there is nothing in this contact") }
        return ContactItem(form: .card, uid: uid, card: card)
    }
}
