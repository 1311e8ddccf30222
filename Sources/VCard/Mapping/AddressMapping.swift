import JSON

/// ADR (RFC 6350, 6.3.1; RFC 9554, 2.1), which is an entry of `addresses`.
enum AddressMapping {
    static let member = "addresses"
    static let prefix = "a"

    /// The seven components that all readers know.
    private static let old = [
        "postOfficeBox", "apartment", "name", "locality", "region", "postcode", "country",
    ]
    /// Those that RFC 9554 put behind them.
    private static let new = [
        "room", "apartment", "floor", "number", "name", "building", "block", "subdistrict", "district",
        "landmark",
        "direction",
    ]

    /// The entry of a line; nil if it says nothing, or has more than addresses have.
    static func entry(_ given: ContentLine) -> JSONObject? {
        var line = given
        _ = line.remove("prop-id")
        let parts = TextValue.components(line.value)
        guard parts.count <= old.count + new.count else { return nil }
        var entry = JSONObject()
        let components = kinds(of: parts).flatMap { kind, values in
            values.map { value -> JSONValue in ["kind": .string(kind), "value": .string(value)] }
        }
        if !components.isEmpty { entry["components"] = .array(components) }
        for (parameter, member) in parameters {
            if let values = line.remove(parameter) { entry[member] = .string(values.joined(separator: ",")) }
        }
        guard !entry.isEmpty else { return nil }
        Flags.addressContexts.take(&line, into: &entry)
        Rank.take(&line, into: &entry)
        UnknownParameters.take(line, into: &entry)
        return entry
    }

    /// ADR of an entry; nil if nothing of it can stand there.
    static func line(_ entry: JSONObject) -> ContentLine? {
        let components = (entry["components"]?.array ?? []).compactMap(\.object)
        func values(_ kind: String) -> [String] {
            components.filter { $0["kind"]?.string == kind }.compactMap { $0["value"]?.string }.filter {
                !$0.isEmpty
            }
        }
        var parts = old.map(values)
        if new.contains(where: { !old.contains($0) && !values($0).isEmpty }) {
            // What the new components say stands in the old places too, for those who do not know them.
            let street = (values("number") + values("name")).joined(separator: " ")
            parts[1] = ["room", "apartment", "floor", "building"].flatMap(values)
            parts[2] = street.isEmpty ? [] : [street]
            parts += new.map(values)
        }
        var line = ContentLine("ADR", TextValue.structured(parts, atLeast: old.count))
        for (parameter, member) in parameters {
            if let text = entry[member]?.string { line[parameter] = [text] }
        }
        guard parts.contains(where: { !$0.isEmpty }) || !line.parameters.isEmpty else { return nil }
        Flags.addressContexts.put(entry, into: &line)
        Rank.put(entry, into: &line)
        UnknownParameters.put(entry, into: &line)
        return line
    }

    /// What the components say, each once.
    static func kinds(of parts: [[String]]) -> [(String, [String])] {
        let hasNew = parts.dropFirst(old.count).contains { !$0.isEmpty }
        guard hasNew else { return Array(zip(old, parts)) }
        let basic = zip(old, parts).filter { !new.contains($0.0) }
        return basic + Array(zip(new, parts.dropFirst(old.count)))
    }

    private static let parameters = [
        ("label", "full"), ("geo", "coordinates"), ("tz", "timeZone"), ("cc", "countryCode"),
    ]
}
