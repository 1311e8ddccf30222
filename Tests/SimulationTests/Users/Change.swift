import JSON

/// What a simulated person does to a contact's text; every value written holds the step's token.
enum Change {
    /// Numbers that several contacts share, so that persons are merged.
    static let shared = (0..<4).map { "+49 30 555000\($0)" }
    private static let names = ["Ana Holm", "Bo Lind", "Cy Ek", "Ana", "Di Or Holm"]

    /// A new contact.
    static func contact(_ pick: UInt64, step: Int) -> JSONObject {
        let name = names[Int(pick % 5)]
        if pick / 8 % 7 == 0 {
            return object(["name": .string(name), "phones": [number(pick, step)], "emails": [email(step)]])
        }
        var card = object(["@type": "Card", "version": "1.0"])
        // A few uids come twice; a few cards have none.
        if pick / 64 % 8 != 0 {
            card["uid"] = .string("c\(pick / 512 % 5 == 0 ? Int(pick / 4096 % 6) : 100 + step)")
        }
        card["name"] = ["full": .string(pick / 32_768 % 4 == 0 ? "\(name) q\(step)4z" : name)]
        card["phones"] = ["p1": ["number": number(pick, step), "label": .string("q\(step)1z")]]
        card["emails"] = ["e1": ["address": email(step)]]
        return card
    }

    private static func object(_ value: JSONValue) -> JSONObject { value.object ?? JSONObject() }

    private static func email(_ step: Int) -> JSONValue { .string("q\(step)3z@example.org") }

    private static func number(_ pick: UInt64, _ step: Int) -> JSONValue {
        .string(pick / 1024 % 3 == 0 ? shared[Int(pick / 8192 % 4)] : "+49 40 \(7_000_000 + step)")
    }

    /// Changes a contact in one place, or two.
    static func apply(_ pick: UInt64, to contact: JSONObject, step: Int) -> JSONObject {
        var out = contact
        if contact["@type"] == nil {
            plain(pick, &out, step)
        } else {
            card(pick, &out, step)
            if pick >> 60 == 0 { card(pick >> 20, &out, step + 500_000) }
        }
        return out
    }

    private static func plain(_ pick: UInt64, _ out: inout JSONObject, _ step: Int) {
        var emails = out["emails"]?.array ?? out["email"].map { [$0] } ?? []
        out["email"] = nil
        switch pick % 3 {
        case 0: emails.append(email(step))
        case 1 where !emails.isEmpty: emails[Int(pick / 8) % emails.count] = email(step)
        default: out["name"] = .string("\(names[Int(pick / 8 % 5)]) q\(step)2z")
        }
        out["emails"] = .array(emails)
    }

    private static func card(_ pick: UInt64, _ out: inout JSONObject, _ step: Int) {
        let token = "q\(step)0z"
        let id = String(pick / 16 % 3 + 1)
        func put(_ member: String, _ entry: String, _ value: JSONValue) {
            var entries = out[member]?.object ?? JSONObject()
            entries[entry] = value
            out[member] = .object(entries)
        }
        switch pick % 12 {
        case 0, 1: put("notes", "n" + id, ["note": .string(token)])
        case 2: put("emails", "e" + id, ["address": .string(token + "@example.org")])
        case 3:
            put(
                "phones",
                "p" + id,
                ["number": .string("+49 40 \(8_000_000 + step)"), "label": .string(token)]
            )
        case 4:
            put(
                "phones",
                "p" + id,
                ["number": .string(shared[Int(pick / 128 % 4)]), "label": .string(token)]
            )
        case 5: put("keywords", token, true)
        case 6: out["example.com:fav"] = .string(token)
        case 7: out["name"] = ["full": .string("\(names[Int(pick / 128 % 5)]) \(token)")]
        case 8: out["name"] = ["full": .string(names[Int(pick / 128 % 5)])]
        default:
            let members = ["notes", "emails", "phones", "keywords", "nicknames"].filter {
                out[$0]?.object != nil
            }
            guard !members.isEmpty else { return }
            let member = members[Int(pick / 128) % members.count]
            guard var entries = out[member]?.object, !entries.isEmpty else { return }
            entries[entries.keys[Int(pick / 2048) % entries.count]] = nil
            out[member] = entries.isEmpty ? nil : .object(entries)
        }
    }

    /// Changes the contact, or one of them, that a file's text holds; nil if it holds none.
    static func apply(_ pick: UInt64, to bytes: [UInt8], step: Int) -> [UInt8]? {
        guard let value = try? JSONReader.value(bytes) else { return nil }
        switch value {
        case .object(let object): return text(.object(apply(pick, to: object, step: step)))
        case .array(var items):
            guard !items.isEmpty else { return nil }
            let at = Int(pick / 4096) % items.count
            guard let object = items[at].object else { return nil }
            items[at] = .object(apply(pick, to: object, step: step))
            return text(.array(items))
        default: return nil
        }
    }

    /// Two or three contacts in one text.
    static func several(_ pick: UInt64, step: Int) -> [UInt8] {
        text(
            .array(
                (0..<(2 + pick % 2)).map { .object(contact(pick >> (7 * $0), step: step + 10_000 * Int($0))) }
            )
        )
    }

    /// Takes one of several contacts out of a file's text; nil if there are not several.
    static func removing(_ pick: UInt64, from bytes: [UInt8]) -> (rest: [UInt8], item: [UInt8])? {
        guard var items = (try? JSONReader.value(bytes))?.array, items.count > 1 else { return nil }
        let item = items.remove(at: Int(pick % UInt64(items.count)))
        return (text(.array(items)), text(item))
    }

    /// Of texts with several contacts the one that differs; else all of both.
    static func difference(_ a: [UInt8], _ b: [UInt8]) -> ([UInt8], [UInt8]) {
        guard let x = (try? JSONReader.value(a))?.array, let y = (try? JSONReader.value(b))?.array,
            x.count == y.count
        else { return (a, b) }
        let differing = x.indices.filter { x[$0] != y[$0] }
        return differing.count == 1 ? (text(x[differing[0]]), text(y[differing[0]])) : (a, b)
    }

    /// In how many fields two contacts differ; nil if a text does not hold just one, or they are of different forms.
    static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int? {
        guard let a = fields(a), let b = fields(b), (a["@type"] == nil) == (b["@type"] == nil) else {
            return nil
        }
        return Set(a.keys).union(b.keys).count { a[$0] != b[$0] }
    }

    private static func fields(_ bytes: [UInt8]) -> [String: JSONValue]? {
        guard let contact = (try? JSONReader.value(bytes))?.object else { return nil }
        var out: [String: JSONValue] = [:]
        for member in contact.members {
            guard member.key != "name", let entries = member.value.object else {
                out[member.key] = member.value
                continue
            }
            for entry in entries.members { out["\(member.key)/\(entry.key)"] = entry.value }
        }
        return out
    }

    /// What another version says in the members that a change is about.
    static func overlap(_ old: [UInt8], _ new: [UInt8], _ other: [UInt8]) -> Set<String> {
        guard let old = try? JSONReader.value(old).object, let new = try? JSONReader.value(new).object,
            let other = try? JSONReader.value(other).object
        else { return Tokens.all(in: other) }
        return other.keys.filter { old[$0] != new[$0] }.reduce(into: Set()) { tokens, key in
            tokens.formUnion(Tokens.all(in: JSONWriter.bytes(other[key] ?? .null)))
        }
    }

    static func text(_ value: JSONValue) -> [UInt8] { JSONWriter.bytes(value, .indented) }
}
