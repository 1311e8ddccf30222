package import JSON

extension VCard {
    /// The card as a JSContact Card (RFC 9555), and what could not be kept.
    ///
    /// Whatever a Card has no member for goes to `vCardProps` and `vCardParams`. The way back is gone at once: a line
    /// that would not come back as it was is kept there too, so nothing should be lost; what is, is named.
    package var card: (card: JSONObject, losses: [Loss]) {
        let builder = CardBuilder(lines)
        var card = builder.built
        let unknown = builder.unknown
        let converted = lines.filter { !unknown.contains($0) && !Self.isDerived($0) }
        let unlike = NormalForm.missing(converted, in: CardLines.known(card))
        let kept = lines.filter { unknown.contains($0) || unlike.contains($0) }
        if !kept.isEmpty { card[UnknownProperties.member] = .array(kept.map(UnknownProperties.array)) }
        let missing = NormalForm.missing(lines.filter { !Self.isDerived($0) }, in: CardLines.all(card))
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
        if version == .v4 {
            lines += missing(card, in: lines).map { pointer, value in
                ContentLine(
                    "JSPROP",
                    TextValue.escaped(JSONWriter.text(value)),
                    [Parameter("jsptr", [pointer])]
                )
            }
        }
        // What a reader of the text would make of it.
        let read = version.raise(version.lower(lines))
        let losses = missing(card, in: read).map {
            Loss(property: $0.pointer, reason: "vCard \(version.text) has no place for it")
        }
        return (VCard(neutral: lines, version: version), losses)
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
