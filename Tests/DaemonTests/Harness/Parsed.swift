import JSON

/// The value of a JSON text; throws a sentence where it is none.
func parsed(_ bytes: [UInt8]) throws -> JSONValue {
    do {
        return try JSONReader.value(bytes)
    } catch {
        throw Failure("no JSON (\(error)): \(String(decoding: bytes.prefix(200), as: UTF8.self))")
    }
}

/// The value of a JSON text; throws a sentence where it is none.
func parsed(_ text: String) throws -> JSONValue { try parsed(Array(text.utf8)) }

extension JSONValue {
    /// A member of an object, or nil.
    subscript(member: String) -> JSONValue? { object?[member] }

    /// Every string in the value, names of members included.
    var strings: [String] {
        switch self {
        case .string(let text): [text]
        case .array(let elements): elements.flatMap(\.strings)
        case .object(let object): object.flatMap { [$0.key] + $0.value.strings }
        case .null, .bool, .number: []
        }
    }

    /// The strings of an array, or none.
    var texts: [String] { array?.compactMap(\.string) ?? [] }

    /// The first place where two values differ, as one sentence.
    func difference(to other: JSONValue, at place: String = "") -> String? {
        if self == other { return nil }
        if let mine = object, let theirs = other.object {
            for key in Set(mine.keys).union(theirs.keys).sorted() {
                guard let here = mine[key] else {
                    return
                        "\(place)/\(key) was added: \(theirs[key].map { JSONWriter.text($0).shortened(to: 60) } ?? "")"
                }
                guard let there = theirs[key] else { return "\(place)/\(key) is lost" }
                if let inner = here.difference(to: there, at: "\(place)/\(key)") { return inner }
            }
        }
        let texts = [self, other].map { JSONWriter.text($0).shortened(to: 80) }
        return "\(place.isEmpty ? "/" : place): want \(texts[0]), have \(texts[1])"
    }
}
