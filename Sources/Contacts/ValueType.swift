import JSON

/// What RFC 9553 says a value has to be.
///
/// A struct and no indirect enum: the leak checker does not see what the tagged pointers of such an enum hold.
struct ValueType: Sendable {
    /// The kinds of value that RFC 9553 names.
    enum Kind: Sendable {
        /// A String; formats within it (Id, URI, UTCDateTime) are not judged, only types are.
        case string
        case boolean
        /// An integer from 0 to 2^53-1.
        case unsigned
        /// `pref`: an integer from 1 to 100.
        case preference
        case list
        /// A map from Ids or other strings.
        case map
        /// An object with registered properties; others are unknown and may be anything.
        case object
        /// A PatchObject: paths into a Card, each with a value of the type found there, or null.
        case patch
    }

    let kind: Kind
    /// The one type of the elements of a list or the values of a map; else none.
    private var element: [ValueType] = []
    /// The registered properties of an object.
    private var properties = KnownNames<ValueType>([:])

    static let string = ValueType(.string)
    static let boolean = ValueType(.boolean)
    static let unsigned = ValueType(.unsigned)
    static let preference = ValueType(.preference)
    static let patch = ValueType(.patch)

    private init(_ kind: Kind) { self.kind = kind }

    static func list(_ element: ValueType) -> ValueType {
        var type = ValueType(.list)
        type.element = [element]
        return type
    }

    static func map(_ element: ValueType) -> ValueType {
        var type = ValueType(.map)
        type.element = [element]
        return type
    }

    static func object(_ properties: [String: ValueType]) -> ValueType {
        var type = ValueType(.object)
        type.properties = KnownNames(properties)
        return type
    }

    /// Throws the first value in `value` that is not of the type.
    func check(_ value: JSONValue) throws(CardError) {
        switch (kind, value) {
        case (.string, .string), (.boolean, .bool):
            return
        case (.unsigned, .number(let text)):
            try check(text, within: 0...9_007_199_254_740_991)
        case (.preference, .number(let text)):
            try check(text, within: 1...100)
        case (.list, .array(let elements)):
            for (n, value) in elements.enumerated() { try element.first?.check(value, at: .index(n)) }
        case (.map, .object(let map)):
            for member in map { try element.first?.check(member.value, at: .key(member.key)) }
        case (.object, .object(let object)):
            for member in object {
                let type = member.key == CardKey.type ? .string : properties[member.key]
                try type?.check(member.value, at: .key(member.key))
            }
        case (.patch, .object(let patch)):
            for member in patch where !member.value.isNull {
                try CardSchema.type(atPointer: member.key)?.check(member.value, at: .key(member.key))
            }
        default:
            throw CardError([], "must be \(expectation), not \(value.kindInWords)")
        }
    }

    /// Checks a value inside another.
    func check(_ value: JSONValue, at step: JSONStep) throws(CardError) {
        do throws(CardError) { try check(value) } catch { throw error.below(step) }
    }

    /// The type of a property or entry below a value of this type; nil where anything may stand.
    func type(below step: String) -> ValueType? {
        kind == .object ? properties[step] : element.first
    }

    private func check(_ text: String, within range: ClosedRange<Int64>)
        throws(CardError)
    {
        // 1.0 and 1e0 are the integer 1 in another spelling.
        let value = Int64(text) ?? Int64(JSONWriter.text(.number(text), .canonical))
        guard let value, range.contains(value) else {
            throw CardError(
                [],
                "must be an integer from \(range.lowerBound) to \(range.upperBound), not \(text)"
            )
        }
    }

    private var expectation: String {
        switch kind {
        case .string: "a string"
        case .boolean: "true or false"
        case .unsigned, .preference: "a number"
        case .list: "an array"
        case .map, .object, .patch: "an object"
        }
    }
}

extension JSONValue {
    /// The kind of a value, for messages.
    var kindInWords: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
