import JSON

/// How one property of vCard is an entry of an Id map of JSContact (RFC 9555, 2.4 to 2.11), and back.
struct EntryMapping {
    /// What an entry may say besides its value.
    struct Says: OptionSet {
        let rawValue: Int
        /// `contexts` and `pref`.
        static let rank = Says(rawValue: 1)
        static let label = Says(rawValue: 2)
        static let mediaType = Says(rawValue: 4)
        static let features = Says(rawValue: 8)
        static let level = Says(rawValue: 16)
        static let place = Says(rawValue: 32)
        static let author = Says(rawValue: 64)
        static let resource: Says = [.rank, .label, .mediaType]
    }

    let property: String
    /// The map in the Card.
    let member: String
    /// How the Ids that are made begin.
    let prefix: String
    /// The member of an entry that has the value.
    let text: String
    let says: Says
    /// What tells apart the properties that share a map.
    var kind: String?

    var isURI: Bool { PropertyKind.of(property) == .uri }

    private init(
        _ property: String,
        _ member: String,
        _ prefix: String,
        _ text: String,
        _ says: Says = [],
        kind: String? = nil
    ) {
        (self.property, self.member, self.prefix, self.text) = (property, member, prefix, text)
        (self.says, self.kind) = (says, kind)
    }

    static let all = [
        EntryMapping("TEL", "phones", "p", "number", [.rank, .label, .features]),
        EntryMapping("EMAIL", "emails", "e", "address", [.rank, .label]),
        EntryMapping("NICKNAME", "nicknames", "k", "name", [.rank]),
        EntryMapping("TITLE", "titles", "t", "name", kind: "title"),
        EntryMapping("ROLE", "titles", "t", "name", kind: "role"),
        EntryMapping("NOTE", "notes", "n", "note", [.author]),
        EntryMapping("LANG", "preferredLanguages", "l", "language", [.rank]),
        EntryMapping("URL", "links", "u", "uri", .resource),
        EntryMapping("CONTACT-URI", "links", "u", "uri", .resource, kind: "contact"),
        EntryMapping("PHOTO", "media", "m", "uri", .resource, kind: "photo"),
        EntryMapping("LOGO", "media", "m", "uri", .resource, kind: "logo"),
        EntryMapping("SOUND", "media", "m", "uri", .resource, kind: "sound"),
        EntryMapping("KEY", "cryptoKeys", "c", "uri", .resource),
        EntryMapping("SOURCE", "directories", "d", "uri", .resource, kind: "entry"),
        EntryMapping("ORG-DIRECTORY", "directories", "d", "uri", [.resource, .place], kind: "directory"),
        EntryMapping("CALURI", "calendars", "a", "uri", .resource, kind: "calendar"),
        EntryMapping("FBURL", "calendars", "a", "uri", .resource, kind: "freeBusy"),
        EntryMapping("CALADRURI", "schedulingAddresses", "s", "uri", [.rank, .label]),
        EntryMapping("HOBBY", "personalInfo", "i", "value", [.level, .place, .label], kind: "hobby"),
        EntryMapping("INTEREST", "personalInfo", "i", "value", [.level, .place, .label], kind: "interest"),
        EntryMapping("EXPERTISE", "personalInfo", "i", "value", [.level, .place, .label], kind: "expertise"),
    ]

    static let byProperty = Dictionary(uniqueKeysWithValues: all.map { ($0.property, $0) })

    /// The property that an entry becomes; nil if there is none for its kind.
    static func of(_ member: String, _ entry: JSONObject) -> EntryMapping? {
        let kind = entry["kind"]?.string ?? (member == "titles" ? "title" : nil)
        return all.first { $0.member == member && $0.kind == kind }
    }

    // MARK: vCard to Card

    /// The entry that a line is; nil if its value is none.
    func entry(_ given: ContentLine) -> JSONObject? {
        var line = given
        _ = line.remove("prop-id")
        // Another type of value than the usual: what stands there is no URI, or no text.
        if isURI, line["value"] != nil { return nil }
        let value = isURI ? line.value : TextValue.unescaped(line.value)
        guard !value.isEmpty else { return nil }
        var entry = JSONObject()
        if let kind { entry["kind"] = .string(kind) }
        entry[text] = .string(value)
        if says.contains(.features) { Flags.features.take(&line, into: &entry) }
        if says.contains(.rank) {
            Flags.contexts.take(&line, into: &entry)
            Rank.take(&line, into: &entry)
        }
        if says.contains(.label), let label = line.remove(Labels.parameter)?.first {
            entry["label"] = .string(label)
        }
        if says.contains(.mediaType), let type = line.remove("mediatype") {
            entry["mediaType"] = .string(type.joined(separator: ","))
        }
        if says.contains(.place), let place = line.first("index").flatMap({ UInt32($0) }) {
            line["index"] = nil
            entry["listAs"] = .number(place)
        }
        if says.contains(.level), let level = line.first("level")?.lowercased(), let known = levels[level] {
            line["level"] = nil
            entry["level"] = .string(known)
        }
        if says.contains(.author) { takeAuthor(&line, into: &entry) }
        UnknownParameters.take(line, into: &entry)
        return entry
    }

    // MARK: Card to vCard

    /// The line that an entry becomes; nil if it has no value.
    func line(_ entry: JSONObject) -> ContentLine? {
        guard let value = entry[text]?.string, !value.isEmpty, !isURI || value.isOneLine else { return nil }
        var line = ContentLine(property, "")
        if says.contains(.features) { Flags.features.put(entry, into: &line) }
        if says.contains(.rank) {
            Flags.contexts.put(entry, into: &line)
            Rank.put(entry, into: &line)
        }
        if says.contains(.label), let label = entry["label"]?.string { line[Labels.parameter] = [label] }
        if says.contains(.mediaType), let type = entry["mediaType"]?.string { line["mediatype"] = [type] }
        if says.contains(.place), case .number(let place)? = entry["listAs"] { line["index"] = [place] }
        if says.contains(.level), let level = entry["level"]?.string {
            line["level"] = [levels.first { $0.value == level }?.key ?? level]
        }
        if says.contains(.author) { putAuthor(entry, into: &line) }
        UnknownParameters.put(entry, into: &line)
        // A number may be a URI by itself (RFC 6350, 6.4.1).
        let isTel = says.contains(.features) && value.hasPrefix("tel:") && !value.contains("\\")
        line.value = isURI || isTel || line["value"] == ["uri"] ? value : TextValue.escaped(value)
        return line
    }

    /// The levels of RFC 6715, and what JSContact calls them.
    private var levels: [String: String] {
        kind == "expertise"
            ? ["beginner": "low", "average": "medium", "expert": "high"]
            : ["low": "low", "medium": "medium", "high": "high"]
    }

    private func takeAuthor(_ line: inout ContentLine, into entry: inout JSONObject) {
        if let time = line.first("created").flatMap(DateForm.basic).flatMap(DateForm.timestamp) {
            line["created"] = nil
            entry["created"] = .string(time)
        }
        var author = JSONObject()
        if let name = line.remove("author-name") { author["name"] = .string(name.joined(separator: ",")) }
        if let uri = line.remove("author") { author["uri"] = .string(uri.joined(separator: ",")) }
        if !author.isEmpty { entry["author"] = .object(author) }
    }

    private func putAuthor(_ entry: JSONObject, into line: inout ContentLine) {
        if let time = entry["created"]?.string.flatMap(DateForm.basic) { line["created"] = [time] }
        if let name = entry["author"]?.object?["name"]?.string { line["author-name"] = [name] }
        if let uri = entry["author"]?.object?["uri"]?.string { line["author"] = [uri] }
    }
}
