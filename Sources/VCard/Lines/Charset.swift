/// The character sets that old vCards name in a parameter.
enum Charset {
    /// The text of bytes in a set, nil for a set that is not known or bytes that are not in it.
    static func decoded(_ bytes: [UInt8], _ name: String?) -> String? {
        switch name?.lowercased() ?? "utf-8" {
        case "utf-8", "utf8", "us-ascii", "ascii": String(validating: bytes, as: UTF8.self)
        case "iso-8859-1", "latin1", "iso8859-1", "windows-1252", "cp1252", "ansi":
            String(String.UnicodeScalarView(bytes.map(windows1252)))
        case "iso-8859-15", "latin9": String(String.UnicodeScalarView(bytes.map(latin9)))
        // A line that names another one and is UTF-8 all the same has been converted on its way.
        default: String(validating: bytes, as: UTF8.self)
        }
    }

    /// The bytes of a file as UTF-8 without a byte order mark; what is UTF-16, with a mark or by its zeros, is
    /// turned into it.
    static func utf8(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
        let hasMark = bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
        guard hasMark || bytes.count > 1 && (bytes[0] == 0) != (bytes[1] == 0) else { return bytes }
        let isBig = hasMark ? bytes[0] == 0xFE : bytes[0] == 0
        let units = stride(from: hasMark ? 2 : 0, to: bytes.count - 1, by: 2).map { at -> UInt16 in
            let (first, second) = (UInt16(bytes[at]), UInt16(bytes[at + 1]))
            return isBig ? first << 8 | second : second << 8 | first
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    /// Latin 1, and what Windows put between 0x80 and 0x9F, as the web reads it.
    private static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
        guard 0x80...0x9F ~= byte else { return Unicode.Scalar(byte) }
        return upper[Int(byte) - 0x80]
    }

    private static let upper: [Unicode.Scalar] = [
        "€", "\u{81}", "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", "\u{8D}", "Ž", "\u{8F}",
        "\u{90}", "‘", "’", "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ", "\u{9D}", "ž", "Ÿ",
    ]

    private static func latin9(_ byte: UInt8) -> Unicode.Scalar {
        switch byte {
        case 0xA4: "€"
        case 0xA6: "Š"
        case 0xA8: "š"
        case 0xB4: "Ž"
        case 0xB8: "ž"
        case 0xBC: "Œ"
        case 0xBD: "œ"
        case 0xBE: "Ÿ"
        default: Unicode.Scalar(byte)
        }
    }
}
