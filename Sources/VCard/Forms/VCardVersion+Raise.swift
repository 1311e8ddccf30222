/// The neutral form: what the lines of any version say, as version 4.0 says it. Types are in lower case, dates basic,
/// media are URIs, and Apple's labels stand at the line that they label.
extension VCardVersion {
    /// Brings the lines of a card of this version to the neutral form.
    func raise(_ lines: [ContentLine]) -> [ContentLine] {
        Labels.gathered(lines.map(raised)).filter { line in
            // Version 3.0 demands a name; where there is none, its semicolons say nothing.
            line.name != "N" || line.value.contains { $0 != ";" && $0 != " " }
        }
    }

    private func raised(_ line: ContentLine) -> ContentLine {
        var line = line
        if self != .v4, PropertyKind.of(Self.newNames[line.name] ?? line.name) == .uri {
            line.value = TextValue.unescaped(line.value)
        }
        line.name = Self.newNames[line.name] ?? line.name
        if let types = line["type"] {
            var seen: Set<String> = []
            line["type"] = types.map { $0.lowercased() }.filter { seen.insert($0).inserted }
        }
        // Before version 4.0 there was one preferred line, and some write it so still.
        if ["1", nil].contains(line.first("pref")), line.removeType("pref") { line["pref"] = ["1"] }
        raiseMedia(&line)
        raiseDate(&line)
        if line.name == "GEO", self != .v4, let place = Self.place(line.value, ";") {
            line.value = "geo:" + place.joined(separator: ",")
        }
        if let value = line.first("value")?.lowercased() {
            let isSaid = line.name == "TEL" && value == "uri" && line.value.hasPrefix("tel:")
            line["value"] = isSaid || PropertyKind.isDefault(value, line.name) ? nil : [value]
        }
        if line["encoding"]?.allSatisfy({ ["8bit", "7bit"].contains($0.lowercased()) }) ?? false {
            line["encoding"] = nil
        }
        return line
    }

    /// What version 4.0 calls by a name of its own.
    static let newNames = [
        "X-ADDRESSBOOKSERVER-KIND": "KIND", "X-ADDRESSBOOKSERVER-MEMBER": "MEMBER",
        "X-ANNIVERSARY": "ANNIVERSARY",
    ]

    /// The two numbers of a place.
    static func place(_ text: some StringProtocol, _ separator: Character) -> [String]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false).map {
            String($0).trimmed
        }
        return parts.count == 2 && parts.allSatisfy { Double($0) != nil } ? parts : nil
    }

    private func raiseMedia(_ line: inout ContentLine) {
        guard MediaForm.names.contains(line.name) else { return }
        let encoding = line.first("encoding")?.lowercased()
        if encoding == "b" || encoding == "base64" {
            let base64 =
                line.value.utf8.contains { $0 <= 0x20 } ? line.value.filter { !$0.isWhitespace } : line.value
            guard MediaForm.isBase64(base64) else {
                // Some write a URI of version 4.0 and call it base64.
                if line.value.hasPrefix("data:") { line["encoding"] = nil }
                return
            }
            let type = line.first("type").map { MediaForm.mediaType($0, line.name) } ?? ""
            line["type"] = line["type"].map { Array($0.dropFirst()) }
            line["encoding"] = nil
            line["value"] = nil
            line.value = "data:\(type);base64,\(base64)"
        } else if self != .v4, line["mediatype"] == nil, let type = line.first("type"),
            !["home", "work"].contains(type)
        {
            line["type"] = line["type"].map { Array($0.dropFirst()) }
            line["mediatype"] = [MediaForm.mediaType(type, line.name)]
        }
    }

    private func raiseDate(_ line: inout ContentLine) {
        guard PropertyKind.of(line.name) == .date, line.first("value")?.lowercased() != "text",
            let basic = DateForm.basic(line.value)
        else { return }
        line.value = basic
        // Apple cannot say a day without a year, and names the year that means none.
        if let year = line.first("x-apple-omit-year"), basic.utf8.count == 8, basic.hasPrefix(year) {
            line["x-apple-omit-year"] = nil
            line.value = "--" + basic.dropFirst(4)
        }
    }
}
