import JSON

/// Builds a Card line by line, of lines in the neutral form (RFC 9555, 2).
struct CardBuilder {
    /// The members so far, Id maps apart.
    private var card = JSONObject()
    /// The entries of the Id maps, by member.
    private var entries: [String: [JSONObject.Member]] = [:]
    private var patches: [(pointer: String, value: JSONValue)] = []
    /// The lines that have no place in a Card.
    private(set) var unknown: [ContentLine] = []

    /// The Card of what was taken, without `vCardProps`.
    var built: JSONObject {
        patches.reduce(into: unpatched) { card, patch in
            card = Pointer.setting(patch.pointer, to: patch.value, in: card) ?? card
        }
    }

    /// The same before JSPROP lines changed it.
    var unpatched: JSONObject {
        var out = card
        for (member, entries) in entries.sorted(by: { $0.key < $1.key }) where member != Self.pronouns {
            out[member] = .object(JSONObject(uniqueMembers: entries))
        }
        if let pronouns = entries[Self.pronouns] {
            var speak = out["speakToAs"]?.object ?? JSONObject()
            speak["pronouns"] = .object(JSONObject(uniqueMembers: pronouns))
            out["speakToAs"] = .object(speak)
        }
        return out
    }

    private static let pronouns = "speakToAs/pronouns"

    /// Takes a card's lines.
    init(_ lines: [ContentLine]) {
        // A place belongs to its day, and the day may come later.
        for line in lines where AnniversaryMapping.kind(ofPlace: line.name) == nil {
            if line.first("derived")?.lowercased() == "true" { continue }
            if !take(line) { unknown.append(line) }
        }
        for line in lines {
            guard let kind = AnniversaryMapping.kind(ofPlace: line.name) else { continue }
            if !take(line, ofDay: kind) { unknown.append(line) }
        }
    }

    private mutating func take(_ line: ContentLine) -> Bool {
        if let mapping = EntryMapping.byProperty[line.name] {
            if line.name == "NICKNAME" { return takeNicknames(line, mapping) }
            return add(mapping.entry(line), line, mapping.member, mapping.prefix)
        }
        if OnlineService.isOne(line.name) {
            return add(OnlineService.entry(line), line, OnlineService.member, OnlineService.prefix)
        }
        if AnniversaryMapping.isOne(line.name) {
            return add(
                AnniversaryMapping.entry(line),
                line,
                AnniversaryMapping.member,
                AnniversaryMapping.prefix
            )
        }
        switch line.name {
        case "ADR": return add(AddressMapping.entry(line), line, AddressMapping.member, AddressMapping.prefix)
        case "ORG": return add(NameMapping.organization(line), line, "organizations", "o")
        case "FN":
            return inName { $0["full"] == nil && Self.set(&$0, "full", TextValue.unescaped(line.value)) }
        case "N": return inName { $0["components"] == nil && NameMapping.takeN(line, into: &$0) }
        case "UID": return setOnce("uid", TextValue.unescaped(line.value))
        case "KIND": return setOnce("kind", TextValue.unescaped(line.value).trimmed.lowercased())
        case "PRODID": return setOnce("prodId", TextValue.unescaped(line.value))
        case "LANGUAGE": return setOnce("language", TextValue.unescaped(line.value))
        case "REV": return setOnce("updated", DateForm.timestamp(line.value))
        case "CREATED": return setOnce("created", DateForm.timestamp(line.value))
        case "CATEGORIES":
            return takeSet(TextValue.split(line.value, ",").map { TextValue.unescaped($0) }, line, "keywords")
        case "MEMBER": return takeSet([line.value], line, "members")
        case "RELATED": return takeRelated(line)
        case "PRONOUNS": return takePronouns(line)
        case "GRAMGENDER": return takeGender(line)
        case "JSPROP": return takePatch(line)
        default: return false
        }
    }

    // MARK: Entries

    private mutating func add(_ entry: JSONObject?, _ line: ContentLine, _ member: String, _ prefix: String)
        -> Bool
    {
        guard let entry else { return false }
        var known = entries[member] ?? []
        func isTaken(_ id: String) -> Bool { known.contains { $0.key.isExactly(id) } }
        var id = line.first("prop-id") ?? ""
        var count = known.count + 1
        if id.isEmpty || isTaken(id) { id = prefix + String(count) }
        while isTaken(id) {
            count += 1
            id = prefix + String(count)
        }
        known.append(.init(key: id, value: .object(entry)))
        entries[member] = known
        return true
    }

    /// Each name of the list is an entry.
    private mutating func takeNicknames(_ line: ContentLine, _ mapping: EntryMapping) -> Bool {
        let found = TextValue.split(line.value, ",").compactMap { text -> (ContentLine, JSONObject)? in
            var one = line
            one.value = text
            return mapping.entry(one).map { (one, $0) }
        }
        for (one, entry) in found { _ = add(entry, one, mapping.member, mapping.prefix) }
        return !found.isEmpty
    }

    private mutating func takePronouns(_ given: ContentLine) -> Bool {
        var line = given
        _ = line.remove("prop-id")
        guard !line.value.isEmpty else { return false }
        var entry = JSONObject([("pronouns", .string(TextValue.unescaped(line.value)))])
        Flags.contexts.take(&line, into: &entry)
        Rank.take(&line, into: &entry)
        UnknownParameters.take(line, into: &entry)
        return add(entry, given, Self.pronouns, "r")
    }

    private mutating func take(_ line: ContentLine, ofDay kind: String) -> Bool {
        guard let place = AnniversaryMapping.place(line), var days = entries[AnniversaryMapping.member],
            let at = days.firstIndex(where: { $0.value.object?["kind"]?.string == kind }),
            var day = days[at].value.object, day["place"] == nil
        else { return false }
        day["place"] = .object(place)
        days[at].value = .object(day)
        entries[AnniversaryMapping.member] = days
        return true
    }

    // MARK: Single values and sets

    private mutating func setOnce(_ member: String, _ text: String?) -> Bool {
        guard card[member] == nil, let text else { return false }
        return Self.set(&card, member, text)
    }

    private static func set(_ object: inout JSONObject, _ member: String, _ text: String) -> Bool {
        guard !text.isEmpty else { return false }
        object[member] = .string(text)
        return true
    }

    private mutating func inName(_ body: (inout JSONObject) -> Bool) -> Bool {
        var name = card["name"]?.object ?? JSONObject()
        guard body(&name) else { return false }
        card["name"] = .object(name)
        return true
    }

    private mutating func takeSet(_ items: [String], _ line: ContentLine, _ member: String) -> Bool {
        let items = items.filter { !$0.isEmpty }
        guard !items.isEmpty, line.parameters.isEmpty, line.group == nil else { return false }
        var set = card[member]?.object ?? JSONObject()
        for item in items { set[item] = true }
        card[member] = .object(set)
        return true
    }

    private mutating func takeRelated(_ given: ContentLine) -> Bool {
        var line = given
        let key = line["value"] == ["text"] ? TextValue.unescaped(line.value) : line.value
        var all = card["relatedTo"]?.object ?? JSONObject()
        guard !key.isEmpty, all[key] == nil else { return false }
        var relation = JSONObject()
        Flags.relations.take(&line, into: &relation)
        UnknownParameters.take(line, into: &relation)
        all[key] = .object(relation)
        card["relatedTo"] = .object(all)
        return true
    }

    private mutating func takeGender(_ line: ContentLine) -> Bool {
        var speak = card["speakToAs"]?.object ?? JSONObject()
        guard line.parameters.isEmpty, line.group == nil, speak["grammaticalGender"] == nil,
            !line.value.isEmpty
        else {
            return false
        }
        speak["grammaticalGender"] = .string(TextValue.unescaped(line.value).lowercased())
        card["speakToAs"] = .object(speak)
        return true
    }

    /// JSPROP: a member that vCard has no property for (RFC 9555, 3.2.1).
    private mutating func takePatch(_ line: ContentLine) -> Bool {
        guard let pointer = line.first("jsptr"), !pointer.isEmpty,
            let value = try? JSONReader.value(Array(TextValue.unescaped(line.value).utf8)),
            Pointer.setting(pointer, to: value, in: built) != nil
        else { return false }
        patches.append((pointer, value))
        return true
    }
}
