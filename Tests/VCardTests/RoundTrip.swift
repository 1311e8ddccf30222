import Contacts
import JSON

@testable import VCard

/// A card there and back again, and what is another thing afterwards.
struct RoundTrip {
    /// One sentence for each difference; empty is what is wanted.
    let differences: [String]

    /// vCard → Card → vCard, as text in the version it came in (3.0 where that was 2.1).
    init(_ vcard: VCard) {
        var found: [String] = []
        let (card, losses) = vcard.card
        found += losses.map { "\($0.property): \($0.reason)" }
        do { _ = try ContactItem.read(.object(card)) } catch { found.append("no Card: \(error.reason)") }
        let version = vcard.version == .v2 ? VCardVersion.v3 : vcard.version
        let (back, _) = VCard.of(card, version)
        let text = back.bytes(version)
        let items = VCardFile(text).items
        guard items.count == 1, case .success(let again) = items[0] else {
            differences = found + ["what was written cannot be read: \(items)"]
            return
        }
        let mine = vcard.lines.filter { $0.first("derived") != "true" }
        let theirs = again.lines.filter { $0.first("derived") != "true" }
        found += NormalForm.missing(mine, in: theirs).map { "lost: \(NormalForm.keys($0))" }
        let isNamed = vcard.lines.contains { $0.name == "FN" }
        // Formatted names are mandatory: where there was none, there is one now.
        found += NormalForm.missing(theirs, in: mine).filter { isNamed || $0.name != "FN" }
            .map { "added: \(NormalForm.keys($0))" }
        for line in text.split(separator: UInt8(ascii: "\n")) where line.count > 76 {
            found.append("a line of \(line.count) bytes")
        }
        differences = found
    }

    /// Card → vCard 4.0 → Card.
    init(_ card: JSONObject) {
        let (vcard, losses) = VCard.of(card, .v4)
        var found = losses.map { "\($0.property): \($0.reason)" }
        let items = VCardFile(vcard.bytes(.v4)).items
        guard items.count == 1, case .success(let again) = items[0] else {
            differences = found + ["what was written cannot be read: \(items)"]
            return
        }
        let back = again.card.card
        if Self.plain(.object(back)) != Self.plain(.object(card)) {
            found.append("\(JSONWriter.text(.object(card))) became \(JSONWriter.text(.object(back)))")
        }
        differences = found
    }

    /// Without what may be left out: types that follow from the place, the order of unknown properties.
    private static func plain(_ value: JSONValue) -> JSONValue {
        guard let object = value.object else { return value }
        var out = JSONObject()
        for member in object where member.key != "@type" && member.key != "version" {
            if member.key == "vCardProps" {
                let sorted = (member.value.array ?? []).sorted { JSONWriter.text($0) < JSONWriter.text($1) }
                out[member.key] = .array(sorted)
            } else {
                out[member.key] = plain(member.value)
            }
        }
        return .object(out)
    }
}
