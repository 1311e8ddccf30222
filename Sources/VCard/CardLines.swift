import Contacts
import JSON

/// The lines that a Card becomes, in the neutral form (RFC 9555, 3).
enum CardLines {
    /// All lines of a Card, those of `vCardProps` included.
    static func all(_ card: JSONObject) -> [ContentLine] {
        // What the Card says, and whether a line of `vCardProps` may still stand for it.
        var said = known(card).map { (line: Optional($0), isOpen: true) }
        var more: [ContentLine] = []
        for value in card[UnknownProperties.member]?.array ?? [] {
            guard let line = UnknownProperties.line(value) else { continue }
            let builder = CardBuilder([line])
            guard builder.unknown.isEmpty else {
                more.append(line)
                continue
            }
            // The Card says this too, though not so exactly. As long as it still says it, this is how it was written.
            let places = places(
                of: known(builder.built, isWhole: false),
                in: said.map { $0.isOpen ? $0.line : nil }
            )
            if let first = places.min() {
                for at in places { said[at] = (nil, false) }
                said[first].line = line
            } else if !isSingle(line.name) || !said.contains(where: { $0.line?.name == line.name }) {
                more.append(line)
            }
        }
        return said.compactMap(\.line) + more
    }

    /// The lines for what JSContact has properties for.
    ///
    /// - Parameter isWhole: whether a formatted name, which vCard demands, is made where there is none.
    static func known(_ card: JSONObject, isWhole: Bool = true) -> [ContentLine] {
        var lines: [ContentLine] = []
        func single(_ member: String, _ property: String, _ value: (String) -> String? = TextValue.escaped) {
            if let text = card[member]?.string.flatMap(value), !text.isEmpty {
                lines.append(ContentLine(property, text))
            }
        }
        single("uid", "UID")
        single("kind", "KIND")
        if isWhole || card["name"] != nil { lines += names(card, isWhole: isWhole) }
        for member in card {
            switch member.key {
            case "keywords":
                let words = (member.value.object?.members ?? []).filter { $0.value == true }.map(\.key)
                if !words.isEmpty {
                    lines.append(
                        ContentLine("CATEGORIES", words.map(TextValue.escaped).joined(separator: ","))
                    )
                }
            case "members":
                lines += (member.value.object?.members ?? []).filter { $0.value == true && $0.key.isOneLine }
                    .map {
                        ContentLine("MEMBER", $0.key)
                    }
            case "relatedTo": lines += (member.value.object?.members ?? []).compactMap(related)
            case "speakToAs": lines += speakToAs(member.value.object ?? JSONObject())
            default: lines += entries(member)
            }
        }
        single("language", "LANGUAGE")
        single("created", "CREATED", DateForm.basic)
        single("prodId", "PRODID")
        single("updated", "REV", DateForm.basic)
        return lines
    }

    private static func names(_ card: JSONObject, isWhole: Bool) -> [ContentLine] {
        let name = card["name"]?.object ?? JSONObject()
        var lines: [ContentLine] = []
        if let full = name["full"]?.string, !full.isEmpty {
            lines.append(ContentLine("FN", TextValue.escaped(full)))
        } else if isWhole {
            let shown = PersonName.shown(card["name"]) ?? firstText(card) ?? ""
            lines.append(ContentLine("FN", TextValue.escaped(shown), [Parameter("derived", ["true"])]))
        }
        if let line = NameMapping.lineN(name) { lines.append(line) }
        return lines
    }

    /// What a contact without a name is called by.
    private static func firstText(_ card: JSONObject) -> String? {
        for (member, text) in [
            ("organizations", "name"), ("nicknames", "name"), ("emails", "address"), ("phones", "number"),
        ] {
            if let found = card[member]?.object?.members.first?.value.object?[text]?.string { return found }
        }
        return nil
    }

    private static func entries(_ member: JSONObject.Member) -> [ContentLine] {
        let (line, prefix): ((JSONObject) -> [ContentLine], String)
        switch member.key {
        case AddressMapping.member: (line, prefix) = ({ one(AddressMapping.line($0)) }, AddressMapping.prefix)
        case AnniversaryMapping.member: (line, prefix) = (AnniversaryMapping.lines, AnniversaryMapping.prefix)
        case OnlineService.member: (line, prefix) = ({ one(OnlineService.line($0)) }, OnlineService.prefix)
        case "organizations": (line, prefix) = ({ one(NameMapping.lineORG($0)) }, "o")
        default:
            guard let mapping = EntryMapping.all.first(where: { $0.member == member.key }) else { return [] }
            (line, prefix) = ({ one(EntryMapping.of(member.key, $0)?.line($0)) }, mapping.prefix)
        }
        return withIDs(member.value.object ?? JSONObject(), prefix, line)
    }

    /// Lines of entries; an Id that reading would not give by itself goes along.
    private static func withIDs(
        _ entries: JSONObject,
        _ prefix: String,
        _ line: (JSONObject) -> [ContentLine]
    ) -> [ContentLine] {
        var count = 0
        var isCounted = true
        return entries.flatMap { entry -> [ContentLine] in
            var lines = entry.value.object.map(line) ?? []
            guard !lines.isEmpty else { return [] }
            count += 1
            isCounted = isCounted && entry.key == prefix + String(count)
            if !isCounted { lines[0]["prop-id"] = [entry.key] }
            return lines
        }
    }

    private static func related(_ member: JSONObject.Member) -> ContentLine? {
        guard let relation = member.value.object else { return nil }
        var line = ContentLine("RELATED", member.key)
        Flags.relations.put(relation, into: &line)
        UnknownParameters.put(relation, into: &line)
        if line["value"] == ["text"] { line.value = TextValue.escaped(member.key) }
        return line["value"] == ["text"] || member.key.isOneLine ? line : nil
    }

    private static func speakToAs(_ speak: JSONObject) -> [ContentLine] {
        let gender = speak["grammaticalGender"]?.string.map {
            ContentLine("GRAMGENDER", TextValue.escaped($0))
        }
        return one(gender)
            + withIDs(speak["pronouns"]?.object ?? JSONObject(), "r") { entry in
                guard let text = entry["pronouns"]?.string, !text.isEmpty else { return [] }
                var line = ContentLine("PRONOUNS", TextValue.escaped(text))
                Flags.contexts.put(entry, into: &line)
                Rank.put(entry, into: &line)
                UnknownParameters.put(entry, into: &line)
                return [line]
            }
    }

    private static func one(_ line: ContentLine?) -> [ContentLine] { line.map { [$0] } ?? [] }

    /// Where lines that say all of this stand; none if something is not there.
    private static func places(of said: [ContentLine], in lines: [ContentLine?]) -> Set<Int> {
        var places: Set<Int> = []
        for line in said {
            let keys = NormalForm.keys(line)
            let at = lines.indices.first { at in
                !places.contains(at)
                    && lines[at].map { $0.name == line.name && NormalForm.keys($0) == keys } ?? false
            }
            guard let at else { return [] }
            places.insert(at)
        }
        return places
    }

    /// What a card says once. Names may stand there in several languages.
    private static func isSingle(_ name: String) -> Bool {
        [
            "UID", "KIND", "PRODID", "REV", "CREATED", "LANGUAGE", "GRAMGENDER", "BDAY", "DEATHDATE",
            "ANNIVERSARY", "BIRTHPLACE", "DEATHPLACE",
        ].contains(name)
    }
}
