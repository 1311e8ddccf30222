import JSON

/// Bytes read as decisions, one after the other; when they are used up every decision is the first.
struct Choices {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isEmpty: Bool { rest.isEmpty }

    /// A number from 0 up to, not including, `bound`, which is at most 256.
    mutating func below(_ bound: Int) -> Int { Int(rest.popFirst() ?? 0) % bound }

    mutating func one<Element>(of list: [Element]) -> Element { list[below(list.count)] }

    /// A value that the bytes spell out as JSON, else a text of them.
    mutating func value() -> JSONValue {
        let bytes = Array(rest.prefix(below(64)))
        rest = rest.dropFirst(bytes.count)
        return (try? JSONReader.value(bytes)) ?? .string(String(decoding: bytes, as: UTF8.self))
    }
}
