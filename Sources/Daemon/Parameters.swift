import JSON
import Wire

/// The parameters of a request, checked when they are asked for.
struct Parameters {
    let object: JSONObject

    init(_ object: JSONObject) {
        self.object = object
    }

    func text(_ name: String) throws(RPCError) -> String {
        guard let text = try optional(name) else {
            throw .invalidParams("\(name) is missing; give it as a text")
        }
        return text
    }

    func optional(_ name: String) throws(RPCError) -> String? {
        guard let value = object[name], !value.isNull else { return nil }
        guard let text = value.string else { throw .invalidParams("\(name) is no text; give one") }
        return text
    }

    /// One text, or several.
    func texts(_ name: String) throws(RPCError) -> [String] {
        guard let values = object[name]?.array else { return [try text(name)] }
        let texts = values.compactMap(\.string)
        guard texts.count == values.count, !texts.isEmpty else {
            throw .invalidParams("\(name) is no list of texts; give one or more texts")
        }
        return texts
    }

    func flag(_ name: String) -> Bool { object[name]?.bool ?? false }

    func number(_ name: String) throws(RPCError) -> Double? {
        guard let value = object[name], !value.isNull else { return nil }
        guard case .number(let text) = value, let number = Double(text), number.isFinite, number < 1e9 else {
            throw .invalidParams("\(name) is no number of seconds; give one such as 30")
        }
        return number
    }
}
