/// A page under construction: markup comes from literals of ours only, every other text is escaped.
struct HTML {
    /// Names and values; a value that is nil leaves its name away.
    typealias Attributes = KeyValuePairs<StaticString, String?>

    /// Characters of a text of others that a page shows; a book's name or a contact's may be as long as it likes.
    static let shownLimit = 160

    private(set) var markup = ""

    /// Adds markup as it stands.
    mutating func raw(_ literal: StaticString) { markup += literal.description }

    /// Adds a text; its directions and odd characters stay its own where it lies in an element of its own.
    mutating func text(_ text: String) { markup += Self.escaped(text) }

    /// Adds a text of others: cut where it is too long, and in an element that keeps what it does to itself.
    mutating func foreign(_ text: String, limit: Int = shownLimit) {
        element("bdi", text: text.count > limit ? text.prefix(limit - 1) + "…" : text)
    }

    /// Adds an element around what `body` adds.
    mutating func element(
        _ name: StaticString,
        _ attributes: Attributes = [:],
        _ body: (inout HTML) -> Void = { _ in }
    ) {
        begin(name, attributes)
        body(&self)
        markup += "</\(name)>"
    }

    /// Adds an element around a text.
    mutating func element(_ name: StaticString, _ attributes: Attributes = [:], text: some StringProtocol) {
        element(name, attributes) { $0.text(String(text)) }
    }

    /// Adds the begin of an element, or the whole of one that has no end.
    mutating func begin(_ name: StaticString, _ attributes: Attributes = [:]) {
        markup += "<\(name)"
        for (name, value) in attributes {
            guard let value else { continue }
            markup += " \(name)=\"\(Self.escaped(value))\""
        }
        markup += ">"
    }

    private static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            case "'": out += "&#39;"
            case "\n", "\t": out += " "
            case _ where scalar.properties.generalCategory == .control: out += "\u{FFFD}"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
