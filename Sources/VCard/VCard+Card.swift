package import JSON

extension VCard {
    /// The card as a JSContact Card (RFC 9555), and what could not be kept.
    ///
    /// Whatever a Card has no member for goes to `vCardProps` and `vCardParams`. The way back is gone at once: a line
    /// that would not come back as it was is kept there too, so nothing should be lost; what is, is named.
    package var card: (card: JSONObject, losses: [Loss]) {
        let builder = CardBuilder(lines)
        let unknown = Set(builder.unknown)
        // What only repeats others need not come back, and JSPROP comes back where it is needed.
        let known = lines.filter { !unknown.contains($0) && !Self.isDerived($0) && $0.name != "JSPROP" }
        var (card, unpatched) = (builder.built, builder.unpatched)
        var kept = unknown
        var missing = NormalForm.missing(known, in: CardLines.known(unpatched))
        // Twice: what is kept may take the place of what came back by itself.
        for _ in 0..<2 where !missing.isEmpty || !kept.isEmpty {
            kept.formUnion(missing)
            let values = lines.filter(kept.contains).map(UnknownProperties.array)
            card[UnknownProperties.member] = .array(values)
            unpatched[UnknownProperties.member] = .array(values)
            missing = NormalForm.missing(known + unknown, in: CardLines.all(unpatched))
        }
        var whole = JSONObject([("@type", "Card"), ("version", "1.0")])
        for member in card { whole[member.key] = member.value }
        return (
            whole,
            missing.map { Loss(property: $0.name, reason: "line \($0.line) cannot be kept as it is written") }
        )
    }

    /// A Card as vCard (RFC 9555), and what could not be kept.
    ///
    /// In version 4.0 members without a property of their own become JSPROP lines. Version 3.0 has no such thing:
    /// there they are lost, and named.
    package static func of(_ card: JSONObject, _ version: VCardVersion) -> (card: VCard, losses: [Loss]) {
        var lines = CardLines.all(card)
        // What a reader of the text would make of it.
        func lost() -> [(pointer: String, value: JSONValue)] {
            missing(card, in: version.raise(version.lower(lines)))
        }
        var losses = lost()
        if version == .v4, !losses.isEmpty {
            lines += losses.map { pointer, value in
                ContentLine(
                    "JSPROP",
                    TextValue.escaped(JSONWriter.text(value)),
                    [Parameter("jsptr", [pointer])]
                )
            }
            losses = lost()
        }
        return (
            VCard(neutral: lines, version: version),
            losses.map { Loss(property: $0.pointer, reason: "vCard \(version.text) has no place for it") }
        )
    }

    /// The members of a Card that lines do not say.
    private static func missing(_ card: JSONObject, in lines: [ContentLine]) -> [(
        pointer: String, value: JSONValue
    )] {
        let builder = CardBuilder(lines)
        return Pointer.missing(card, in: builder.built) { path in
            // The types of objects follow from where they stand. What is kept as it was is not compared.
            path.last == "@type" && path.dropLast().last != "date" || path == ["version"]
                || path == [UnknownProperties.member]
        }
    }

    /// Whether a line only repeats what others say (RFC 9554, 4.4).
    private static func isDerived(_ line: ContentLine) -> Bool {
        line.first("derived")?.lowercased() == "true"
    }
}
