import Contacts
import JSON

/// Phonebooks as desk phones load them: XML, a name and a few numbers for each contact.
///
/// Sources: Yealink "Remote Phonebook Template" (`YealinkIPPhoneDirectory`), Grandstream "XML Phonebook Guide"
/// (`AddressBook`), Cisco "IP Phone Services Application Development Notes" (`CiscoIPPhoneDirectory`).
enum Phonebook: String, CaseIterable {
    case yealink
    case grandstream
    case cisco

    /// A Cisco phone takes no more entries of one document.
    private static let ciscoEntries = 32

    /// The document, and what did not go into it.
    func write(_ cards: [JSONObject]) -> (text: [UInt8], losses: [ExportLoss]) {
        var losses: [ExportLoss] = []
        var entries: [String] = []
        for card in cards {
            let name = PersonName.shown(card["name"]) ?? Self.company(card) ?? ""
            let phones = Self.phones(card)
            guard !phones.isEmpty, !name.isEmpty else {
                let reason = phones.isEmpty ? "there is no number that can be dialled" : "there is no name"
                losses.append(ExportLoss(card, property: phones.isEmpty ? "phones" : "name", reason: reason))
                continue
            }
            entries += lines(card, name, phones)
        }
        if self == .cisco, entries.count > Self.ciscoEntries {
            losses.append(
                ExportLoss(
                    JSONObject(),
                    property: "phones",
                    reason:
                        "Cisco phones show the first \(Self.ciscoEntries) of \(entries.count) numbers of a document; "
                        + "export one by one, or let the server divide it"
                )
            )
        }
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <\(root)>
            \((head + entries).joined(separator: "\n"))
            </\(root)>

            """
        return (Array(text.utf8), losses)
    }

    private var root: String {
        switch self {
        case .yealink: "YealinkIPPhoneDirectory"
        case .grandstream: "AddressBook"
        case .cisco: "CiscoIPPhoneDirectory"
        }
    }

    private var head: [String] {
        self == .cisco ? ["<Title>Contacts</Title>", "<Prompt>Select a contact</Prompt>"] : []
    }

    /// The entries of one contact.
    private func lines(_ card: JSONObject, _ name: String, _ phones: [(digits: String, kind: String)])
        -> [String]
    {
        switch self {
        case .yealink:
            let numbers = phones.map { "<Telephone>\(Self.text($0.digits))</Telephone>" }.joined()
            return ["<DirectoryEntry><Name>\(Self.text(name))</Name>\(numbers)</DirectoryEntry>"]
        case .grandstream:
            let parts = (card["name"]?.object?["components"]?.array ?? []).compactMap(\.object)
            func part(_ kind: String) -> String? {
                parts.first { $0["kind"]?.string == kind }?["value"]?.string
            }
            let (given, surname) = (part("given"), part("surname"))
            let names =
                given == nil && surname == nil
                ? "<LastName></LastName><FirstName>\(Self.text(name))</FirstName>"
                : "<LastName>\(Self.text(surname ?? ""))</LastName><FirstName>\(Self.text(given ?? ""))</FirstName>"
            let numbers = phones.map { phone in
                "<Phone type=\"\(phone.kind)\"><phonenumber>\(Self.text(phone.digits))</phonenumber>"
                    + "<accountindex>0</accountindex></Phone>"
            }.joined()
            return ["<Contact>\(names)\(numbers)</Contact>"]
        case .cisco:
            return phones.map { phone in
                let label = phones.count > 1 ? " (\(phone.kind))" : ""
                return "<DirectoryEntry><Name>\(Self.text(name + label))</Name>"
                    + "<Telephone>\(Self.text(phone.digits))</Telephone></DirectoryEntry>"
            }
        }
    }

    /// The numbers of a card, the preferred first, and what kind of telephone each is. Faxes are not called.
    private static func phones(_ card: JSONObject) -> [(digits: String, kind: String)] {
        let entries = (card["phones"]?.object?.members ?? []).compactMap(\.value.object)
        let sorted = entries.enumerated().sorted { a, b in
            let (x, y) = (a.element["pref"]?.integer ?? 101, b.element["pref"]?.integer ?? 101)
            return x != y ? x < y : a.offset < b.offset
        }.map(\.element)
        return sorted.compactMap { phone in
            let features = phone["features"]?.object
            if features?["fax"] == true, features?["voice"] != true { return nil }
            let digits = dialled(phone["number"]?.string ?? "")
            guard digits.contains(where: \.isNumber) else { return nil }
            let kind =
                features?["mobile"] == true
                ? "Mobile" : phone["contexts"]?.object?["private"] == true ? "Home" : "Work"
            return (digits, kind)
        }
    }

    /// What a phone can dial: a leading plus, digits, `*` and `#`, and `,` for a pause before an extension.
    private static func dialled(_ number: String) -> String {
        var text = number.lowercased()
        if text.hasPrefix("tel:") { text = String(text.dropFirst(4)) }
        for word in [";ext=", ";postd=", "extension", "ext.", "ext", "x"] {
            text = text.split(separator: word, omittingEmptySubsequences: false).joined(separator: ",")
        }
        // "+44 (0)20" is dialled without the zero that is for calls from inside.
        if text.hasPrefix("+") { text = text.split(separator: "(0)").joined() }
        var out = ""
        for character in text {
            switch character {
            case "+" where out.isEmpty: out.append(character)
            case "*", "#", ",": out.append(character)
            default: if let digit = character.wholeNumberValue, character.isNumber { out += String(digit) }
            }
        }
        return out
    }

    private static func company(_ card: JSONObject) -> String? {
        card["organizations"]?.object?.members.first?.value.object?["name"]?.string
    }

    /// Text within XML; characters that XML 1.0 forbids are left out.
    private static func text(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}":
                out += scalar == "\n" || scalar == "\t" ? " " : ""
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
