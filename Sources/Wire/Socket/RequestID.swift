package import JSON

/// What a reply is told apart by.
package enum RequestID: Hashable, Sendable {
    case text(String)
    /// A number as it was written; it is given back so.
    case number(String)
    case null

    init?(_ value: JSONValue) {
        switch value {
        case .string(let text): self = .text(text)
        case .number(let text): self = .number(text)
        case .null: self = .null
        case .bool, .array, .object: return nil
        }
    }

    /// The ID as the wire has it.
    package var json: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .number(let text): .number(text)
        case .null: .null
        }
    }
}
