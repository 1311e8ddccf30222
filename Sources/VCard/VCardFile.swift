/// A file of vCards, read as far as it is readable: a broken card costs only itself.
package struct VCardFile: Sendable {
    /// One card, or what is wrong in its place.
    package typealias Item = Result<VCard, VCardError>

    /// The cards in order.
    package let items: [Item]

    /// Reads the bytes of a file: CR LF or LF, with or without a byte order mark, many cards or one.
    package init(_ bytes: [UInt8]) {
        var items: [Item] = []
        var open: Open?
        var isOutside = false
        for line in LogicalLine.all(Charset.utf8(bytes)) {
            if Self.says(line, "BEGIN"), open?.isBeforeNested != true {
                if let open { items.append(open.unended) }
                open = Open(line: line.line)
                isOutside = false
            } else if open != nil {
                if open?.take(line) == true, let closed = open {
                    items.append(closed.result)
                    open = nil
                }
            } else if !isOutside {
                isOutside = true
                items.append(
                    .failure(VCardError(line: line.line, reason: "this is outside of any BEGIN:VCARD"))
                )
            }
        }
        if let open { items.append(open.unended) }
        self.items = items
    }

    /// Whether the text looks like vCards, as far as its beginning tells.
    package static func isVCard(_ bytes: [UInt8]) -> Bool {
        let beginning = Charset.utf8(Array(bytes.prefix(4096))).drop { $0 <= 0x20 }
        let line = String(decoding: beginning.prefix { $0 > 0x20 }, as: UTF8.self).uppercased()
        return line.hasPrefix("BEGIN:") || line.hasSuffix(".BEGIN:VCARD")
    }

    private static func says(_ line: LogicalLine, _ word: String) -> Bool {
        // Long lines are values.
        guard line.bytes.count <= 40, line.bytes.contains(where: { $0 | 0x20 == UInt8(ascii: "v") }) else {
            return false
        }
        let text = String(decoding: line.bytes, as: UTF8.self).uppercased().filter { !$0.isWhitespace }
        // Some give the whole card a group.
        return text == "\(word):VCARD" || text.hasSuffix(".\(word):VCARD")
    }

    /// A card that has begun.
    private struct Open {
        let line: Int
        private var lines: [ContentLine] = []
        private var flaw: VCardError?
        /// What is inside the card of an agent (vCard 2.1), if we are in one.
        private var nested: [String]?

        init(line: Int) { self.line = line }

        /// Whether a BEGIN now would be that of an agent.
        var isBeforeNested: Bool {
            nested != nil || lines.last.map { $0.name == "AGENT" && $0.value.isEmpty } ?? false
        }

        var unended: Item {
            .failure(VCardError(line: line, reason: "the card that begins here has no END:VCARD"))
        }

        var result: Item { flaw.map { .failure($0) } ?? .success(VCard(line: line, lines: lines)) }

        /// Takes a line; true if it ends the card.
        mutating func take(_ line: LogicalLine) -> Bool {
            if let inside = nested {
                let text = String(decoding: line.bytes, as: UTF8.self)
                guard VCardFile.says(line, "END") else {
                    nested = inside + [text]
                    return false
                }
                // As vCard 3.0 writes it (RFC 2426, 3.5.4): the card as one text.
                lines[lines.count - 1].value = TextValue.escaped(
                    (inside + [text, ""]).joined(separator: "\n")
                )
                nested = nil
            } else if VCardFile.says(line, "END") {
                return true
            } else if VCardFile.says(line, "BEGIN") {
                nested = [String(decoding: line.bytes, as: UTF8.self)]
            } else {
                do throws(VCardError) { lines.append(try ContentLine(line)) } catch { flaw = flaw ?? error }
            }
            return false
        }
    }
}
