/// The parts of a `tel:` URI (RFC 3966); a text that is no URI is all number.
struct TelephoneURI {
    /// The number, for people or for machines.
    private(set) var number: String
    /// What the parameters `ext` and `postd` say.
    private(set) var extensionDigits = ""
    /// `phone-context`, as `+` and digits.
    private var context: String?

    private static let schemes = ["tel:", "callto:", "sms:", "smsto:"]

    /// Takes plain characters. Nil if the number is valid within a private domain only, or has a subaddress.
    init?(_ text: String) {
        number = text
        guard text.utf8.contains(UInt8(ascii: ":")) else { return }
        let trimmed = text.drop { " \n<'\"".contains($0) }
        let lower = trimmed.prefix(12).lowercased()
        guard let scheme = Self.schemes.first(where: lower.hasPrefix),
            // "Tel: 030 …" is a word before a number.
            trimmed.dropFirst(scheme.count).first != " "
        else { return }
        guard let decoded = Self.percentDecoded(trimmed.dropFirst(scheme.count).drop { $0 == "/" }) else {
            return nil
        }
        let parts = decoded.split(separator: ";", omittingEmptySubsequences: false)
        number = parts.first.map(String.init) ?? ""
        for part in parts.dropFirst() {
            let name = part.prefix { $0 != "=" }.lowercased()
            let value = part.drop { $0 != "=" }.dropFirst()
            let digits = value.filter { ("0"..."9").contains($0) }
            switch name {
            case "ext", "postd", "extension":
                guard !digits.isEmpty else { return nil }
                extensionDigits += digits
            case "phone-context":
                guard value.first == "+", !digits.isEmpty else { return nil }
                context = "+" + digits
            case "isub":
                return nil
            default:
                // `;99` and `;p99` are pauses that a person put there, not parameters.
                if part.contains("=") { break }
                number += ";" + part
            }
        }
    }

    /// A reading with the context before it, and with what numbers of the past are called today.
    func placed(_ reading: PhoneText.Reading, region: String?) -> PhoneText.Reading? {
        var digits = reading.digits
        if let context, !digits.hasPrefix("+") { digits = context + digits }
        digits = MexicanMobile.folded(digits, region: region)
        // Without a region nobody knows where a national number is.
        if region == nil, !digits.hasPrefix("+") { return nil }
        return PhoneText.Reading(digits: digits, vanity: reading.vanity)
    }

    private static func percentDecoded(_ text: Substring) -> String? {
        var out: [UInt8] = []
        var bytes = Array(text.utf8)[...]
        while let byte = bytes.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                out.append(byte)
                continue
            }
            guard bytes.count >= 2,
                let value = UInt8(String(decoding: bytes.prefix(2), as: UTF8.self), radix: 16)
            else { return nil }
            out.append(value)
            bytes.removeFirst(2)
        }
        return PhoneCharacters.plain(String(decoding: out, as: UTF8.self))
    }
}
