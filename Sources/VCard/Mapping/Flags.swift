import JSON

/// A set of JSContact that vCard has among the values of TYPE.
struct Flags {
    let member: String
    /// Values of TYPE, and the flags they are.
    let names: [(type: String, flag: String)]

    static let contexts = Flags(member: "contexts", names: [("home", "private"), ("work", "work")])
    /// Of addresses (RFC 9554, 5.1 and 5.2).
    static let addressContexts = Flags(
        member: "contexts",
        names: contexts.names + [("billing", "billing"), ("delivery", "delivery")]
    )
    static let features = Flags(
        member: "features",
        names: [
            ("cell", "mobile"), ("voice", "voice"), ("text", "text"), ("video", "video"),
            ("main-number", "main-number"), ("textphone", "textphone"), ("fax", "fax"), ("pager", "pager"),
        ]
    )
    static let relations = Flags(
        member: "relation",
        names: [
            "acquaintance", "agent", "child", "co-resident", "co-worker", "colleague", "contact", "crush",
            "date", "emergency", "friend", "kin", "me", "met", "muse", "neighbor", "parent", "sibling",
            "spouse",
            "sweetheart",
        ].map { ($0, $0) }
    )

    /// Moves what is known from the types of a line into an entry.
    func take(_ line: inout ContentLine, into entry: inout JSONObject) {
        guard let types = line["type"] else { return }
        var flags = entry[member]?.object ?? JSONObject()
        for type in types {
            guard let flag = names.first(where: { $0.type == type })?.flag else { continue }
            _ = line.removeType(type)
            flags[flag] = true
        }
        if !flags.isEmpty { entry[member] = .object(flags) }
    }

    /// Adds the types for the flags of an entry.
    func put(_ entry: JSONObject, into line: inout ContentLine) {
        let types = (entry[member]?.object ?? JSONObject()).compactMap { flag in
            flag.value == true ? names.first { $0.flag == flag.key }?.type : nil
        }
        if !types.isEmpty { line.add("type", types) }
    }
}

/// `pref`, which both have.
enum Rank {
    static func take(_ line: inout ContentLine, into entry: inout JSONObject) {
        guard let text = line.first("pref"), let pref = Int(text), 1...100 ~= pref else { return }
        line["pref"] = nil
        entry["pref"] = .number(pref)
    }

    static func put(_ entry: JSONObject, into line: inout ContentLine) {
        if let pref = entry["pref"]?.integer { line["pref"] = [String(pref)] }
    }
}

/// `vCardParams`: the parameters that JSContact has no place for (RFC 9555, 2.15.1), the group among them.
enum UnknownParameters {
    static let member = "vCardParams"

    static func take(_ line: ContentLine, into entry: inout JSONObject) {
        let unknown = object(line)
        if !unknown.isEmpty { entry[member] = .object(unknown) }
    }

    /// The parameters of a line as jCard has them (RFC 7095, 3.4).
    static func object(_ line: ContentLine) -> JSONObject {
        var out = JSONObject()
        if let group = line.group { out["group"] = .string(group) }
        for parameter in line.parameters {
            let values = parameter.values.map { JSONValue.string($0) }
            out[parameter.name] = values.count == 1 ? values[0] : .array(values)
        }
        return out
    }

    static func put(_ entry: JSONObject, into line: inout ContentLine) {
        put(parameters: entry[member]?.object ?? JSONObject(), into: &line)
    }

    static func put(parameters: JSONObject, into line: inout ContentLine) {
        for member in parameters {
            let values = (member.value.array ?? [member.value]).compactMap { value in
                if case .number(let digits) = value { digits } else { value.string }
            }
            let name = member.key.lowercased()
            guard !values.isEmpty,
                name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"\";:,=".utf8.contains($0) })
            else {
                continue
            }
            switch name {
            case "group" where Self.isName(values[0]): line.group = values[0]
            case "group": break
            case "type": line.add(name, values)
            default: line[name] = values
            }
        }
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || $0 == 0x2D || $0 == 0x5F
            }
    }
}
