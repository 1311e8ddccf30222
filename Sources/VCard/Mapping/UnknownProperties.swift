import JSON

/// `vCardProps`: the properties that JSContact has no place for, as jCard (RFC 9555, 2.15.2; RFC 7095, 3.3).
enum UnknownProperties {
    static let member = "vCardProps"

    /// A line as an array of name, parameters, type and value.
    static func array(_ given: ContentLine) -> JSONValue {
        var line = given
        let type = line["value"]?.count == 1 ? line.remove("value")?.first : nil
        let isText = (type ?? implied(line.name)) == "text"
        let text = TextValue.unescaped(line.value)
        // Text only where the way back is sure.
        let isPlain = isText && TextValue.escaped(text) == line.value
        if isText, !isPlain, let type { line["value"] = [type] }
        let shown = isText ? (isPlain ? "text" : "unknown") : type ?? implied(line.name)
        return [
            .string(line.name.lowercased()), .object(UnknownParameters.object(line)), .string(shown),
            .string(isPlain ? text : line.value),
        ]
    }

    /// The line of such an array, whoever wrote it; nil for what is none.
    static func line(_ value: JSONValue) -> ContentLine? {
        guard let parts = value.array, parts.count >= 4, let name = parts[0].string?.uppercased(),
            isName(name),
            let type = parts[2].string
        else { return nil }
        var line = ContentLine(name, "")
        UnknownParameters.put(parameters: parts[1].object ?? JSONObject(), into: &line)
        line.value = parts[3...].map { text($0, type) }.joined(separator: ",")
        if type != "unknown", type != implied(name) { line["value"] = [type] }
        return line
    }

    /// The type of a property that names none.
    private static func implied(_ name: String) -> String {
        switch PropertyKind.of(name) {
        case .text where name == "UID": "uri"
        case .text, .list, .structured: "text"
        case .uri: "uri"
        case .date: "date-and-or-time"
        case .other: "unknown"
        }
    }

    private static func text(_ value: JSONValue, _ type: String) -> String {
        switch value {
        case .null: ""
        case .bool(let flag): flag ? "true" : "false"
        case .number(let digits): digits
        case .string(let text): type == "text" ? TextValue.escaped(text) : text
        case .array(let components):
            components.map { component in
                (component.array ?? [component]).map { text($0, type) }.joined(separator: ",")
            }.joined(separator: ";")
        case .object: JSONWriter.text(value)
        }
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || $0 == 0x2D || $0 == 0x5F }
            && !["BEGIN", "END", "VERSION"].contains(text)
    }
}
