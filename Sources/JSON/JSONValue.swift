/// A JSON value as text gave it: numbers keep their digits, objects keep the order of their members.
///
/// Equality is of meaning and exact: order of members is nothing, strings are compared by code point (Swift's
/// own `==` takes canonically equivalent strings for equal; an edit may change just that), numbers by their
/// exact decimal value (`1`, `1.0` and `1e0` are equal; `0.1` and `0.10000000000000001` are not).
package enum JSONValue: Sendable {
    case null
    case bool(Bool)
    /// The text of the number, as RFC 8259 allows it.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

extension JSONValue {
    /// The text of a string value, else nil.
    package var string: String? {
        if case .string(let text) = self { return text }
        return nil
    }

    /// The object, else nil.
    package var object: JSONObject? {
        if case .object(let object) = self { return object }
        return nil
    }

    /// The elements of an array, else nil.
    package var array: [JSONValue]? {
        if case .array(let elements) = self { return elements }
        return nil
    }

    /// The truth value, else nil.
    package var bool: Bool? {
        if case .bool(let value) = self { return value }
        return nil
    }

    /// The value of a number that is an integer within `Int64`, else nil.
    package var integer: Int64? {
        if case .number(let text) = self { return Int64(text) }
        return nil
    }

    /// The value of a number that is an integer within `UInt64`, else nil.
    package var unsigned: UInt64? {
        if case .number(let text) = self { return UInt64(text) }
        return nil
    }

    /// Whether this is JSON's null.
    package var isNull: Bool {
        if case .null = self { return true }
        return false
    }

    /// How many values and names it is made of, itself included.
    package var valueCount: Int {
        switch self {
        case .null, .bool, .number, .string: 1
        case .array(let elements): elements.reduce(1) { $0 + $1.valueCount }
        case .object(let object): object.members.reduce(1) { $0 + 1 + $1.value.valueCount }
        }
    }

    /// A number value from an integer.
    package static func number(_ value: some BinaryInteger) -> JSONValue { .number(String(value)) }
}

extension JSONValue: Hashable {
    package static func == (a: JSONValue, b: JSONValue) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.bool(let x), .bool(let y)): x == y
        case (.number(let x), .number(let y)): x == y || Decimal(x) == Decimal(y)
        case (.string(let x), .string(let y)): x.isExactly(y)
        case (.array(let x), .array(let y)): x == y
        case (.object(let x), .object(let y)): x == y
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .number(let text): hasher.combine(Decimal(text))
        case .string(let text): hasher.combine(ExactString(text))
        case .array(let elements): hasher.combine(elements)
        case .object(let object): object.hash(into: &hasher)
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int) { self = .number(String(value)) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        var object = JSONObject()
        for (key, value) in elements { object[key] = value }
        self = .object(object)
    }
}
