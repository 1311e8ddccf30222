/// One step from a JSON value to a value inside it.
package enum JSONStep: Hashable, Sendable {
    case key(String)
    case index(Int)
}

extension JSONStep: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    package init(stringLiteral value: String) { self = .key(value) }
    package init(integerLiteral value: Int) { self = .index(value) }
}
