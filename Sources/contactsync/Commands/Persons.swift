import JSON

/// How persons are laid out, for all commands that show some.
enum Persons {
    /// A line a person.
    static func table(_ persons: JSONValue, _ page: inout Page) {
        page.table(
            [.short("NAME"), .short("NUMBERS", 48), .text("UID")],
            (persons.array ?? []).map { person in [name(person), numbers(person), person.text("uid")] }
        )
    }

    /// Everything about one person, a line a property.
    static func detail(_ person: JSONValue, _ page: inout Page) {
        page.line(name(person))
        var fields = [("kind", person.text("kind") == "individual" ? "" : person.text("kind"))]
        fields += person.list("phones").map { phone in
            let (number, key) = (phone.text("number"), phone.text("key"))
            return ("phone", key.isEmpty ? "\(number)  (not a valid number here)" : "\(number)  (\(key))")
        }
        let shownAbove = ["@type", "version", "uid", "name", "kind", "phones"]
        for member in person.at("card").object ?? JSONObject() where !shownAbove.contains(member.key) {
            fields += lines(of: member)
        }
        fields.append(("file", person.text("file")))
        let uids = person.list("uids").map(\.plain)
        fields.append(("uid", person.text("uid")))
        if uids.count > 1 { fields.append(("made of", uids.joined(separator: ", "))) }
        page.fields(fields)
    }

    /// The shown name, or what stands for it.
    static func name(_ person: JSONValue) -> String {
        let name = person.text("name")
        return name.isEmpty ? "(no name)" : name
    }

    private static func numbers(_ person: JSONValue) -> String {
        person.list("phones").map { $0.text("number") }.joined(separator: ", ")
    }

    /// Id maps one entry a line, by the property of an entry that people mean; all else as JSON.
    private static func lines(of member: JSONObject.Member) -> [(String, String)] {
        let telling = [
            "emails": "address", "nicknames": "name", "organizations": "name", "titles": "name",
            "notes": "note",
        ]
        let names = [
            "emails": "email", "nicknames": "nickname", "organizations": "organisation", "titles": "title",
            "notes": "note",
        ]
        guard let property = telling[member.key], let name = names[member.key],
            let entries = member.value.object
        else {
            return [(member.key, member.value.plain)]
        }
        return entries.map { entry in
            let text = entry.value.text(property)
            return (name, text.isEmpty ? entry.value.plain : text)
        }
    }
}
