package import JSON

/// A name as it is judged (DESIGN.md, 4); the text that is shown and stored stays as it was given.
package struct PersonName: Sendable {
    /// Lower case, white space trimmed and collapsed; compared by canonical equivalence, as Swift's strings are.
    package let folded: String

    /// A name as people see it.
    package init(_ shown: String) {
        folded =
            Self.foldedASCII(shown)
            ?? shown.lowercased().unicodeScalars.split { $0.properties.isWhitespace }
            .map { String($0) }.joined(separator: " ")
    }

    /// A name as `folded` gave it.
    package init(folded: String) { self.folded = folded }

    /// The words, without order: split at white space, comma, full stop and hyphen.
    package var words: [String] {
        let words = folded.unicodeScalars.split { $0 == " " || Self.separators.contains($0) }.map {
            String($0)
        }
        // A name of nothing but separators is one word, or it would fit every name.
        return words.isEmpty && !folded.isEmpty ? [folded] : words
    }

    /// The folded name, some twenty times quicker; nil for what is not ASCII throughout.
    private static func foldedASCII(_ shown: String) -> String? {
        var folded: [UInt8] = []
        folded.reserveCapacity(shown.utf8.count)
        var isSpaceOwed = false
        for byte in shown.utf8 {
            switch byte {
            case 0x80...: return nil
            case 0x09...0x0D, 0x20: isSpaceOwed = !folded.isEmpty
            default:
                if isSpaceOwed { folded.append(UInt8(ascii: " ")) }
                isSpaceOwed = false
                let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                folded.append(isUpper ? byte | 0x20 : byte)
            }
        }
        return String(decoding: folded, as: UTF8.self)
    }

    /// Comma, full stop, and the hyphens that keyboards and word processors make, in their full-width forms too.
    private static let separators: Set<Unicode.Scalar> = [
        ",", ".", "-", "\u{2010}", "\u{2011}", "\u{FF0C}", "\u{FF0E}", "\u{FF0D}",
    ]

    /// Whether there is no name at all.
    package var isEmpty: Bool { folded.isEmpty }

    /// Whether both are one name after folding. Two missing names are not two equal names.
    package func equals(_ other: PersonName) -> Bool { !isEmpty && folded == other.folded }

    /// Whether both may be one person's name: equal, one missing, or one's words contained in the other's, a single
    /// letter standing for any word that begins with it.
    package func isCompatible(with other: PersonName) -> Bool {
        isEmpty || other.isEmpty || folded == other.folded || isContained(in: other)
            || other.isContained(in: self)
    }

    private func isContained(in other: PersonName) -> Bool {
        let others = other.words
        return words.allSatisfy { word in
            others.contains { $0 == word || word.count == 1 && $0.first == word.first }
        }
    }
}

extension PersonName: Hashable {
    package static func == (a: PersonName, b: PersonName) -> Bool { a.folded == b.folded }

    package func hash(into hasher: inout Hasher) { hasher.combine(folded) }
}

extension PersonName {
    /// The order in which parts are shown whose card says that their order means nothing.
    private static let usualOrder = [
        "title", "given", "given2", "surname", "surname2", "generation", "credential",
    ]

    /// The name that a card's `name` shows: `full`, else the components joined; nil if there is none.
    ///
    /// Of ordered components the separators are honoured (RFC 9553, 2.2.1); others are put in the usual order.
    package static func shown(_ name: JSONValue?) -> String? {
        guard let name = name?.object else { return nil }
        if let full = name["full"]?.string, saysAnything(full) { return full }
        let components = (name["components"]?.array ?? []).compactMap {
            component -> (kind: String, value: String)? in
            guard let object = component.object, let value = object["value"]?.string else { return nil }
            return (object["kind"]?.string ?? "", value)
        }
        let isOrdered = name["isOrdered"]?.bool ?? false
        let joined =
            isOrdered
            ? join(components, name["defaultSeparator"]?.string ?? " ")
            : join(inUsualOrder(components.filter { $0.kind != "separator" }), " ")
        return saysAnything(joined) ? joined : nil
    }

    /// Whether there is more than white space.
    private static func saysAnything(_ text: String) -> Bool {
        text.unicodeScalars.contains { !$0.properties.isWhitespace }
    }

    private static func inUsualOrder(_ parts: [(kind: String, value: String)]) -> [(
        kind: String, value: String
    )] {
        let known = usualOrder.flatMap { kind in parts.filter { $0.kind == kind } }
        return known + parts.filter { !usualOrder.contains($0.kind) }
    }

    private static func join(_ parts: [(kind: String, value: String)], _ separator: String) -> String {
        var out = ""
        var isBehindSeparator = true
        for part in parts {
            if part.kind == "separator" {
                isBehindSeparator = true
            } else if part.value.isEmpty {
                continue
            } else {
                if !isBehindSeparator { out += separator }
                isBehindSeparator = false
            }
            out += part.value
        }
        return out
    }
}
