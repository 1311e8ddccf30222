import JSON

@testable import VCard

/// A card of these lines, between BEGIN and END; the first flaw where it is none.
func vcard(_ lines: String..., version: String = "3.0") throws -> VCard {
    let text = (["BEGIN:VCARD", "VERSION:\(version)"] + lines + ["END:VCARD", ""]).joined(separator: "\r\n")
    let items = VCardFile(Array(text.utf8)).items
    guard let first = items.first else { throw VCardError(line: 0, reason: "there is no card") }
    return try first.get()
}

/// The Card of these lines.
func card(_ lines: String..., version: String = "4.0") throws -> JSONObject {
    let text = (["BEGIN:VCARD", "VERSION:\(version)"] + lines + ["END:VCARD", ""]).joined(separator: "\n")
    return try VCardFile(Array(text.utf8)).items[0].get().card.card
}

/// The lines of a Card in a version, unfolded, without those around it.
func lines(_ card: JSONValue, _ version: VCardVersion = .v4) -> [String] {
    let text = String(
        decoding: VCard.of(card.object ?? JSONObject(), version).card.bytes(version),
        as: UTF8.self
    )
    let unfolded = text.split(separator: "\r\n ").joined()
    return unfolded.split(separator: "\r\n").map(String.init).filter { line in
        !["BEGIN:", "END:", "VERSION:"].contains { line.hasPrefix($0) }
    }
}
