import JSON

/// Reading what the daemon answered: what is missing or of another type reads as nothing, so that an older or a
/// newer daemon costs a blank cell and not the whole answer.
extension JSONValue {
    /// A member, or null.
    func at(_ key: String) -> JSONValue { object?[key] ?? .null }

    /// A member's text, or a number's digits, or nothing.
    func text(_ key: String) -> String { at(key).plain }

    /// A member's elements.
    func list(_ key: String) -> [JSONValue] { at(key).array ?? [] }

    /// A member's whole number.
    func number(_ key: String) -> Int64? { at(key).integer }

    /// Whether a member is true.
    func isTrue(_ key: String) -> Bool { at(key).bool == true }

    /// A value as a person reads it: texts without quotes, null as nothing, the rest as JSON.
    var plain: String {
        switch self {
        case .null: ""
        case .string(let text): text
        default: JSONWriter.text(self)
        }
    }
}
