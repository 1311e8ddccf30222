import JSON

/// When two entries of an Id map say the same, and what they say together.
enum EntryValue {
    /// Members that tell of a value and are not the value.
    private static let about = ["features", "contexts", "label", "pref"]

    /// What an entry is recognised by: the text and the keys of its number, else its value without what is told about it.
    static func tokens(_ member: String, _ value: JSONValue, _ phoneKeys: [String]) -> [ExactString] {
        guard var object = value.object else { return [ExactString(JSONWriter.text(value, .canonical))] }
        if member == "phones", let number = object["number"]?.string {
            // One text may have a key of one machine and none, or another, of the next.
            return phoneKeys.map { ExactString("key " + $0) } + [ExactString("text " + number)]
        }
        if member == "emails", let address = object["address"]?.string { return [ExactString(address)] }
        for name in about + ["@type"] { object[name] = nil }
        return [ExactString(JSONWriter.text(.object(object), .canonical))]
    }

    /// The first value, with what the others knew besides.
    static func unite(_ values: [JSONValue]) -> JSONValue {
        guard var out = values.first?.object else { return values.first ?? .null }
        for other in values.dropFirst() {
            for member in other.object ?? JSONObject() {
                switch (out[member.key], member.value) {
                case (nil, _):
                    out[member.key] = member.value
                case (.object(var mine), .object(let theirs)) where about.contains(member.key):
                    for flag in theirs where mine[flag.key] == nil { mine[flag.key] = flag.value }
                    out[member.key] = .object(mine)
                case (.string(""), .string) where member.key == "label":
                    out[member.key] = member.value
                default:
                    break
                }
            }
        }
        return .object(out)
    }

    /// Whether the shown value says all that another says; the spelling of a number with the same key apart.
    ///
    /// - Parameter sameText: whether the other stands for itself (then a differently written number is no loss).
    static func says(_ shown: JSONValue, all other: JSONValue, sameText: Bool) -> Bool {
        guard let shown = shown.object, let other = other.object else { return shown == other }
        return other.members.allSatisfy { member in
            guard let mine = shown[member.key] else { return false }
            if mine == member.value || sameText && member.key == "number" { return true }
            if member.key == "label", member.value == .string("") { return true }
            // Of two preferences the first is shown; the order of one's numbers is no value of its own.
            if member.key == "pref" { return sameText }
            guard about.contains(member.key), let flags = member.value.object, let mine = mine.object else {
                return false
            }
            return flags.members.allSatisfy { mine[$0.key] == $0.value }
        }
    }
}
