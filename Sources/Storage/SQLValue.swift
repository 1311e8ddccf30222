/// A value handed to a statement.
enum SQLValue {
    case integer(Int64)
    case text(String)
    case blob([UInt8])
    case null

    /// 64 bits without a sign, kept as the same bits with one.
    static func bits(_ value: UInt64) -> SQLValue { .integer(Int64(bitPattern: value)) }

    /// A number that SQL compares by size: it must fit into 63 bits.
    static func number(_ value: UInt64) -> SQLValue {
        precondition(value <= UInt64(Int64.max), "sequence numbers and times have 63 bits")
        return .integer(Int64(value))
    }

    /// Text, or NULL for none.
    static func text(orNull value: String?) -> SQLValue { value.map { .text($0) } ?? .null }
}
