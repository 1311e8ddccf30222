/// A value of a TOML document, with the place where its key (or it, in an array) stands.
struct TOMLValue {
    enum Content {
        case table([Member])
        case array([TOMLValue])
        case string(String)
        case integer(Int64)
        case float
        case boolean(Bool)
        case date
        case tooDeep
    }

    struct Member {
        let key: String
        let value: TOMLValue
    }

    let content: Content
    let line: Int
    let column: Int

    /// What a person calls such a value.
    var kindName: String {
        switch content {
        case .table: "a table"
        case .array: "an array"
        case .string: "a text"
        case .integer: "a whole number"
        case .float: "a decimal number"
        case .boolean: "true or false"
        case .date: "a date"
        case .tooDeep: "a value nested too deeply"
        }
    }
}
