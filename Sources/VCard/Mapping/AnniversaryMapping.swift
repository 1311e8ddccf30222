import JSON

/// Days that come back every year (RFC 9555, 2.5.2): an entry of `anniversaries` each, with its place.
enum AnniversaryMapping {
    static let member = "anniversaries"
    static let prefix = "y"

    private static let kinds = ["BDAY": "birth", "DEATHDATE": "death", "ANNIVERSARY": "wedding"]
    private static let places = ["BIRTHPLACE": "birth", "DEATHPLACE": "death"]

    /// Apple's own property for days, and its label for the one that has a place in a Card.
    private static let apple = (property: "X-ABDATE", label: "_$!<Anniversary>!$_")

    static func isOne(_ name: String) -> Bool { kinds[name] != nil || name == apple.property }

    /// The kind of the day whose place a property names.
    static func kind(ofPlace name: String) -> String? { places[name] }

    /// The entry of a line; nil if no date can be read.
    static func entry(_ given: ContentLine) -> JSONObject? {
        var line = given
        _ = line.remove("prop-id")
        let isApple = line.name == apple.property && line.remove(Labels.parameter) == [apple.label]
        guard line["value"] == nil, let kind = isApple ? "wedding" : kinds[line.name],
            var date = date(line.value)
        else { return nil }
        if let scale = line.first("calscale"), date["@type"] == nil {
            line["calscale"] = nil
            if scale.lowercased() != "gregorian" { date["calendarScale"] = .string(scale.lowercased()) }
        }
        var entry = JSONObject()
        entry["kind"] = .string(kind)
        entry["date"] = .object(date)
        if isApple { entry["vCardName"] = .string(apple.property.lowercased()) }
        UnknownParameters.take(line, into: &entry)
        return entry
    }

    /// The lines of an entry: its day, and its place.
    static func lines(_ entry: JSONObject) -> [ContentLine] {
        guard let kind = entry["kind"]?.string, let name = kinds.first(where: { $0.value == kind })?.key,
            let date = entry["date"]?.object, let text = text(date)
        else { return [] }
        var line = ContentLine(name, text)
        if kind == "wedding", entry["vCardName"]?.string?.uppercased() == apple.property {
            line = ContentLine(apple.property, text, [Parameter(Labels.parameter, [apple.label])])
        }
        if let scale = date["calendarScale"]?.string { line["calscale"] = [scale] }
        UnknownParameters.put(entry, into: &line)
        guard let place = entry["place"]?.object,
            let placeName = places.first(where: { $0.value == kind })?.key
        else {
            return [line]
        }
        if let full = place["full"]?.string {
            return [line, ContentLine(placeName, TextValue.escaped(full))]
        }
        guard let coordinates = place["coordinates"]?.string else { return [line] }
        return [line, ContentLine(placeName, coordinates, [Parameter("value", ["uri"])])]
    }

    /// The place that a line names; nil if it says more than a place can.
    static func place(_ line: ContentLine) -> JSONObject? {
        var rest = line
        let type = rest.remove("value")?.first
        guard rest.parameters.isEmpty, rest.group == nil, !line.value.isEmpty else { return nil }
        if type == "uri" {
            return line.value.hasPrefix("geo:") ? JSONObject([("coordinates", .string(line.value))]) : nil
        }
        return type == nil ? JSONObject([("full", .string(TextValue.unescaped(line.value)))]) : nil
    }

    /// A PartialDate or a Timestamp (RFC 9553, 2.8.1). A time without a zone has no place there; the day has.
    private static func date(_ text: String) -> JSONObject? {
        if let utc = DateForm.timestamp(text) {
            return JSONObject([("@type", "Timestamp"), ("utc", .string(utc))])
        }
        let day = text.prefix { $0 != "T" }
        guard DateForm.basic(String(day)) == String(day) else { return nil }
        let digits = day.filter(\.isNumber)
        func number(_ from: Int, _ count: Int) -> Int? { Int(digits.dropFirst(from).prefix(count)) }
        let (year, month, dayOfMonth): (Int?, Int?, Int?)
        switch (day.prefix { $0 == "-" }.count, digits.count) {
        case (0, 8): (year, month, dayOfMonth) = (number(0, 4), number(4, 2), number(6, 2))
        case (0, 6): (year, month, dayOfMonth) = (number(0, 4), number(4, 2), nil)
        case (0, 4): (year, month, dayOfMonth) = (number(0, 4), nil, nil)
        case (2, 4): (year, month, dayOfMonth) = (nil, number(0, 2), number(2, 2))
        case (2, 2): (year, month, dayOfMonth) = (nil, number(0, 2), nil)
        case (3, 2): (year, month, dayOfMonth) = (nil, nil, number(0, 2))
        default: return nil
        }
        guard (year ?? 1) > 0, 1...12 ~= month ?? 1, 1...31 ~= dayOfMonth ?? 1 else { return nil }
        var out = JSONObject()
        if let year { out["year"] = .number(year) }
        if let month { out["month"] = .number(month) }
        if let dayOfMonth { out["day"] = .number(dayOfMonth) }
        return out
    }

    private static func text(_ date: JSONObject) -> String? {
        if let utc = date["utc"]?.string { return DateForm.basic(utc) }
        func number(_ name: String, _ width: Int) -> String? {
            date[name]?.integer.flatMap { value in
                value < 0
                    ? nil : String(repeating: "0", count: max(0, width - String(value).count)) + String(value)
            }
        }
        switch (number("year", 4), number("month", 2), number("day", 2)) {
        case (let year?, let month?, let day?): return year + month + day
        case (let year?, let month?, nil): return "\(year)-\(month)"
        case (let year?, nil, nil): return year
        case (nil, let month?, let day?): return "--" + month + day
        case (nil, let month?, nil): return "--" + month
        case (nil, nil, let day?): return "---" + day
        default: return nil
        }
    }
}
