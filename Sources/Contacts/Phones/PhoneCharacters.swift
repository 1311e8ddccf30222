/// Characters of all scripts, as the ASCII ones that mean the same in a number.
enum PhoneCharacters {
    /// The text without what is invisible, with ASCII digits, blanks, hyphens and full-width forms as ASCII.
    static func plain(_ text: String) -> String {
        // Most numbers are written in ASCII, all of which is plain from the blank on.
        if text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) { return text }
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if let scalar = plain(scalar) { out.append(scalar) }
        }
        return String(out)
    }

    private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar {
        case "\n", "\r", "\u{2028}", "\u{2029}", "\u{85}":
            return "\n"
        case "\u{20}"..."\u{7E}":
            return scalar
        case "\u{FF01}"..."\u{FF5E}":
            // Full-width forms, in the order of ASCII.
            return Unicode.Scalar(scalar.value - 0xFF01 + 0x21)
        case "\u{2795}", "\u{FE62}", "\u{207A}", "\u{FB29}":
            return "+"
        case "\u{2212}", "\u{30FC}", "\u{FF70}", "\u{2043}", "\u{02D7}", "\u{FE63}":
            return "-"
        case "\u{B7}", "\u{2022}", "\u{2027}", "\u{2219}", "\u{22C5}", "\u{30FB}", "\u{FF65}", "\u{2024}",
            "\u{3002}":
            return "."
        case "\u{2044}", "\u{2215}", "\u{29F8}":
            return "/"
        case "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "\u{201E}", "\u{201A}", "\u{AB}", "\u{BB}",
            "\u{B4}",
            "\u{2BC}", "\u{2032}":
            return "'"
        case "\u{D7}":
            return "x"
        case "\u{266F}":
            return "#"
        case "\u{20E3}":
            return nil  // the key of a keycap emoji
        default:
            break
        }
        let properties = scalar.properties
        if properties.numericType == .decimal, let value = properties.numericValue {
            return Unicode.Scalar(UInt8(ascii: "0") + UInt8(value))
        }
        switch properties.generalCategory {
        case .format: return nil
        case .control, .spaceSeparator, .otherSymbol, .modifierSymbol: return " "
        case .dashPunctuation: return "-"
        default: return properties.isDefaultIgnorableCodePoint ? nil : scalar
        }
    }

    /// Brazilians write `0xx11` for "zero, a carrier of your choice, 11": the blank for the carrier goes.
    static func withoutCarrierBlank(_ text: String, region: String?) -> String {
        let isBrazilian = text.drop { $0 == " " || $0 == "(" }.hasPrefix("+55")
        guard region == "BR" || isBrazilian else { return text }
        for blank in ["0xx", "0XX", "0 xx", "0 XX"] {
            guard let at = text.range(ofASCII: blank) else { continue }
            let before = text[..<at.lowerBound].last
            guard before.map({ !$0.isNumber && !$0.isLetter }) ?? true else { continue }
            return text[..<at.lowerBound] + "0 " + text[at.upperBound...]
        }
        return text
    }
}

extension String {
    /// The first place of a short text; `Foundation` is not needed for this.
    fileprivate func range(ofASCII part: String) -> Range<Index>? {
        var from = startIndex
        while from < endIndex {
            if self[from...].hasPrefix(part) { return from..<index(from, offsetBy: part.count) }
            from = index(after: from)
        }
        return nil
    }
}
