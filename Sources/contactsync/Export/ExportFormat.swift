import JSON
import VCard

/// What `export` can write.
enum ExportFormat: String, CaseIterable {
    case vcard4
    case vcard3
    case jscontact

    /// The form that a file's name asks for; vCard 4.0 where it says nothing.
    init(file: String?) { self = file?.lowercased().hasSuffix(".json") == true ? .jscontact : .vcard4 }

    /// The text of all cards, in order, and what it could not say: the contact, where in it, and why.
    func write(_ cards: [JSONObject]) -> (text: [UInt8], losses: [ExportLoss]) {
        switch self {
        case .jscontact:
            let texts = cards.map { JSONWriter.bytes(.object($0)) }
            return (Array("[\n".utf8) + Array(texts.joined(separator: ",\n".utf8)) + Array("\n]\n".utf8), [])
        case .vcard3, .vcard4:
            let version = self == .vcard3 ? VCardVersion.v3 : .v4
            var text: [UInt8] = []
            var losses: [ExportLoss] = []
            for card in cards {
                let (vcard, lost) = VCard.of(card, version)
                text += vcard.bytes(version)
                losses += lost.map { ExportLoss(card, property: $0.property, reason: $0.reason) }
            }
            return (text, losses)
        }
    }
}
