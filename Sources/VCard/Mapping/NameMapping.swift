import JSON

/// FN and N, which are JSContact's `name` (RFC 9555, 2.5.1 and 2.5.6), and ORG, which has its shape.
enum NameMapping {
    /// The components of N in order; the last two are RFC 9554's.
    private static let kinds = [
        "surname", "given", "given2", "title", "credential", "surname2", "generation",
    ]

    /// Puts a structured name into `name`; false if it says nothing, or has more than names have.
    static func takeN(_ given: ContentLine, into name: inout JSONObject) -> Bool {
        var line = given
        var parts = TextValue.components(line.value)
        while parts.last?.isEmpty == true { parts.removeLast() }
        guard !parts.isEmpty, parts.count <= kinds.count else { return false }
        // For readers that do not know the last two, they stand with surnames and suffixes too.
        if parts.count > 5 { parts[0] = parts[0].filter { !parts[5].contains($0) } }
        if parts.count > 6 { parts[4] = parts[4].filter { !parts[6].contains($0) } }
        name["components"] = .array(
            zip(kinds, parts).flatMap { kind, values in
                values.map { value -> JSONValue in ["kind": .string(kind), "value": .string(value)] }
            }
        )
        if let sort = line.remove("sort-as") {
            let keys = sort.flatMap {
                $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            }
            name["sortAs"] = .object(
                JSONObject(
                    uniqueMembers: zip(["surname", "given"], keys).map { .init(key: $0, value: .string($1)) }
                )
            )
        }
        UnknownParameters.take(line, into: &name)
        return true
    }

    /// N of a name; nil if it has no components.
    static func lineN(_ name: JSONObject) -> ContentLine? {
        let components = (name["components"]?.array ?? []).compactMap(\.object)
        var parts = kinds.map { kind in
            components.filter { $0["kind"]?.string == kind }.compactMap { $0["value"]?.string }.filter {
                !$0.isEmpty
            }
        }
        guard parts.contains(where: { !$0.isEmpty }) else { return nil }
        parts[0] += parts[5]
        parts[4] = parts[6] + parts[4]
        var line = ContentLine("N", TextValue.structured(parts, atLeast: 5))
        if let sort = name["sortAs"]?.object, let surname = sort["surname"]?.string {
            line["sort-as"] = [[surname, sort["given"]?.string].compactMap(\.self).joined(separator: ",")]
        }
        UnknownParameters.put(name, into: &line)
        return line
    }

    /// The entry of an organisation; nil if there is no name and no unit.
    static func organization(_ given: ContentLine) -> JSONObject? {
        var line = given
        _ = line.remove("prop-id")
        let parts = TextValue.split(line.value, ";").map { TextValue.unescaped($0) }
        guard parts.contains(where: { !$0.isEmpty }) else { return nil }
        let keys = (line.remove("sort-as") ?? []).flatMap { TextValue.split($0, ",") }
        var entry = JSONObject()
        if let name = parts.first, !name.isEmpty { entry["name"] = .string(name) }
        let units = parts.dropFirst().reversed().drop(while: \.isEmpty).reversed().enumerated().map {
            at,
            unit in
            JSONValue.object(named(unit, keys.indices.contains(at + 1) ? keys[at + 1] : nil))
        }
        if !units.isEmpty { entry["units"] = .array(units) }
        if let key = keys.first, !key.isEmpty { entry["sortAs"] = .string(key) }
        Flags.contexts.take(&line, into: &entry)
        UnknownParameters.take(line, into: &entry)
        return entry
    }

    /// ORG of an entry; nil if it says nothing.
    static func lineORG(_ entry: JSONObject) -> ContentLine? {
        let units = (entry["units"]?.array ?? []).compactMap(\.object)
        let parts = [entry["name"]?.string ?? ""] + units.map { $0["name"]?.string ?? "" }
        guard parts.contains(where: { !$0.isEmpty }) else { return nil }
        var line = ContentLine("ORG", parts.map(TextValue.escaped).joined(separator: ";"))
        var keys = [entry["sortAs"]?.string ?? ""] + units.map { $0["sortAs"]?.string ?? "" }
        while keys.last?.isEmpty == true { keys.removeLast() }
        if !keys.isEmpty { line["sort-as"] = [keys.map(TextValue.escaped).joined(separator: ",")] }
        Flags.contexts.put(entry, into: &line)
        UnknownParameters.put(entry, into: &line)
        return line
    }

    private static func named(_ name: String, _ key: String?) -> JSONObject {
        var unit = JSONObject()
        unit["name"] = .string(name)
        if let key, !key.isEmpty { unit["sortAs"] = .string(key) }
        return unit
    }
}
