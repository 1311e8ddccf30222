package import JSON

/// Lays a card out for a file.
package enum CardWriter {
    /// A Card ready to be written.
    ///
    /// `@type`, `version` (the card's own; else 1.0, or 2.0 where there is no uid, as 1.0 demands one), `uid`, then
    /// the usual order. Where `like`, what the file held, is given, its order of members is kept at every depth, and
    /// what is new comes behind.
    package static func card(_ card: JSONObject, uid: String?, like: JSONObject?) -> JSONObject {
        var whole = card
        whole[CardKey.type] = "Card"
        whole[CardKey.version] = card[CardKey.version] ?? (uid == nil ? "2.0" : "1.0")
        whole[CardKey.uid] = uid.map { .string($0) }
        let usual = inUsualOrder(whole)
        guard let like else { return usual }
        // What a Card of the file lacked of the header goes before the rest.
        let header = CardKey.header.filter { like[$0] == nil }
        let known = like.keys.map { key in
            switch key {
            case CardKey.phone: CardKey.phones
            case CardKey.email: CardKey.emails
            default: key
            }
        }
        return reordered(ordered(usual, header + known), like: like)
    }

    /// The plain form, or nil if it cannot say everything.
    ///
    /// It can say a full name, numbers and addresses with nothing besides, and members that RFC 9553 does not know
    /// (or that `like` shows it to hold). Spelling (`phone` or `phones`) and order of `like` are kept.
    package static func plain(_ card: JSONObject, uid: String?, like: JSONObject?) -> JSONObject? {
        var plain = JSONObject()
        var isUsable = false
        for member in card {
            switch member.key {
            case CardKey.name:
                guard let name = member.value.object, name.count == 1, let full = name[CardKey.full]?.string,
                    !PersonName(full).isEmpty
                else { return nil }
                plain[CardKey.name] = .string(full)
                isUsable = true
            case CardKey.phones:
                guard say(member.value, as: PlainForm.phones, in: &plain, like: like) else { return nil }
                isUsable = true
            case CardKey.emails:
                guard say(member.value, as: PlainForm.emails, in: &plain, like: like) else { return nil }
                isUsable = true
            case CardKey.phone, CardKey.email, CardKey.version, CardKey.type, CardKey.uid:
                return nil
            default:
                guard !CardSchema.isRegistered(member.key) || like?[member.key] != nil else { return nil }
                plain[member.key] = member.value
            }
        }
        guard isUsable else { return nil }
        plain[CardKey.uid] = uid.map { .string($0) }
        let usual = [
            CardKey.name, CardKey.phone, CardKey.phones, CardKey.email, CardKey.emails,
        ]
        // `phone` that had to become `phones` takes its place, and so back.
        let known = (like?.keys ?? usual).flatMap { key in
            switch key {
            case CardKey.phone, CardKey.phones: [key, CardKey.phone, CardKey.phones]
            case CardKey.email, CardKey.emails: [key, CardKey.email, CardKey.emails]
            default: [key]
            }
        }
        let laidOut = ordered(plain, known)
        return like.map { reordered(laidOut, like: $0) } ?? laidOut
    }

    /// Puts the entries of a Card's map into the plain form; false if it cannot say them.
    private static func say(
        _ map: JSONValue,
        as entries: PlainForm.Entries,
        in plain: inout JSONObject,
        like: JSONObject?
    ) -> Bool {
        var texts: [String] = []
        for entry in map.object ?? JSONObject() {
            guard let object = entry.value.object, object.count == 1,
                let text = object[entries.property]?.string, !text.allSatisfy(\.isWhitespace),
                !texts.contains(where: { $0.isExactly(text) })
            else { return false }
            texts.append(text)
        }
        // A number that the file held as an integer stays one.
        let asWritten = { (text: String) -> JSONValue in
            let held = [like?[entries.one], like?[entries.many]].compactMap(\.self).flatMap {
                $0.array ?? [$0]
            }
            return held.contains { $0.isNumber(text) } ? .number(text) : .string(text)
        }
        let one = (try? like?[entries.one].map { try PlainForm.texts($0, at: []) }) ?? []
        let hasMany = like?[entries.many] != nil
        let oneIsList = like?[entries.one]?.array != nil
        if texts.isEmpty { return true }
        if oneIsList {
            plain[entries.one] = .array(texts.map(asWritten))
        } else if hasMany, let held = one.first, let at = texts.firstIndex(where: { $0.isExactly(held) }) {
            // Both spellings: each keeps what it said.
            plain[entries.one] = asWritten(texts.remove(at: at))
            let many = (try? like?[entries.many].map { try PlainForm.texts($0, at: []) }) ?? []
            if many.contains(where: { $0.isExactly(held) }) { texts.insert(held, at: min(at, texts.count)) }
            if !texts.isEmpty { plain[entries.many] = .array(texts.map(asWritten)) }
        } else if texts.count == 1, !hasMany {
            plain[entries.one] = asWritten(texts[0])
        } else if texts.count == 1, let held = like?[entries.many], held.array == nil {
            plain[entries.many] = asWritten(texts[0])
        } else {
            plain[entries.many] = .array(texts.map(asWritten))
        }
        return true
    }

    /// The members of a Card in the usual order, then those that are not registered as they are.
    private static func inUsualOrder(_ card: JSONObject) -> JSONObject {
        let ranks = card.members.indices.map { (CardSchema.rank(of: card.members[$0].key), $0) }
        return JSONObject(uniqueMembers: ranks.sorted { $0 < $1 }.map { card.members[$0.1] })
    }

    /// The members named first, in that order, then the others as they are.
    private static func ordered(_ object: JSONObject, _ first: [String]) -> JSONObject {
        var out = JSONObject()
        for key in first { if let value = object[key] { out[key] = value } }
        for member in object where out[member.key] == nil { out[member.key] = member.value }
        return out
    }

    /// Below the top: the order of what the file held.
    private static func reordered(_ object: JSONObject, like: JSONObject) -> JSONObject {
        var out = object
        for member in object {
            guard let value = member.value.object, let held = like[member.key]?.object else { continue }
            out[member.key] = .object(reordered(ordered(value, held.keys), like: held))
        }
        return out
    }
}

extension JSONValue {
    fileprivate func isNumber(_ text: String) -> Bool {
        if case .number(let own) = self { own == text } else { false }
    }
}
