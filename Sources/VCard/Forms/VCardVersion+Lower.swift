extension VCardVersion {
    /// Brings lines of the neutral form to this version; the opposite of `raise`.
    func lower(_ lines: [ContentLine]) -> [ContentLine] {
        var out = Labels.scattered(lines).map { line in
            guard line.name == "TEL", line["value"] == nil, line.value.hasPrefix("tel:") else { return line }
            var line = line
            line["value"] = ["uri"]
            return line
        }
        guard self == .v3 else { return out }
        out = out.map(lowered)
        // Both are mandatory (RFC 2426, 3.1).
        if !out.contains(where: { $0.name == "N" }) {
            let at = out.firstIndex { $0.name == "FN" }.map { $0 + 1 } ?? 0
            out.insert(ContentLine("N", ";;;;"), at: at)
        }
        return out
    }

    private func lowered(_ line: ContentLine) -> ContentLine {
        var line = line
        if line["pref"] == ["1"] {
            line["pref"] = nil
            line.add("type", ["pref"])
        }
        // URIs are read with their escapes undone: few write them, but some do.
        if PropertyKind.of(line.name) == .uri, !line.value.isOneLine || line.value.contains("\\") {
            line.value = TextValue.escaped(line.value)
        }
        if let name = Self.newNames.first(where: { $0.value == line.name })?.key { line.name = name }
        if MediaForm.names.contains(line.name) { lowerMedia(&line) }
        switch line.name {
        case "BDAY", "X-ANNIVERSARY", "DEATHDATE", "REV", "X-ABDATE", "CREATED":
            guard line["value"] == nil else { break }
            if line.name == "BDAY", line.value.hasPrefix("--"), line.value.utf8.count == 6 {
                line["x-apple-omit-year"] = ["1604"]
                line.value = "1604" + line.value.dropFirst(2)
            }
            line.value = DateForm.extended(line.value)
        case "GEO":
            guard line.value.hasPrefix("geo:"), let place = Self.place(line.value.dropFirst(4), ",") else {
                break
            }
            line.value = place.joined(separator: ";")
        default: break
        }
        return line
    }

    private func lowerMedia(_ line: inout ContentLine) {
        if let (type, base64) = MediaForm.parts(line.value) {
            line["encoding"] = ["b"]
            if !type.isEmpty { line["type"] = [MediaForm.word(type, line.name)] + (line["type"] ?? []) }
            line.value = String(base64)
        } else if line["value"] == nil {
            line["value"] = ["uri"]
            if let type = line.remove("mediatype")?.first {
                line["type"] = [MediaForm.word(type, line.name)] + (line["type"] ?? [])
            }
        }
    }
}
