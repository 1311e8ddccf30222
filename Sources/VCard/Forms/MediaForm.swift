/// Pictures, sounds and keys: version 4.0 has URIs with a media type, the older ones base64 with a word for its type.
enum MediaForm {
    static let names: Set<String> = ["PHOTO", "LOGO", "SOUND", "KEY"]

    /// The words of vCard 2.1 and 3.0 that are not simply the second half of the media type.
    private static let words: [(word: String, type: String)] = [
        ("pgp", "application/pgp-keys"), ("x509", "application/pkix-cert"), ("wave", "audio/wav"),
        ("pcm", "audio/pcm"), ("aiff", "audio/aiff"), ("basic", "audio/basic"),
    ]

    /// The media type that a word stands for at a property.
    static func mediaType(_ word: String, _ name: String) -> String {
        if word.contains("/") { return word }
        if let known = words.first(where: { $0.word == word }) { return known.type }
        switch name {
        case "SOUND": return "audio/" + word
        case "KEY": return "application/" + word
        default: return "image/" + word
        }
    }

    /// The word for a media type at a property, or the type itself where there is none.
    static func word(_ type: String, _ name: String) -> String {
        if let known = words.first(where: { $0.type == type }) { return known.word.uppercased() }
        let parts = type.split(separator: "/")
        guard parts.count == 2, mediaType(String(parts[1]), name) == type else { return type }
        return parts[1].uppercased()
    }

    /// Whether a text is base64 and nothing else.
    static func isBase64(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte
                    || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=")
            }
    }

    /// The media type and the base64 text of a data URI (RFC 2397); nil for other URIs.
    static func parts(_ uri: String) -> (type: String, base64: Substring)? {
        guard uri.utf8.prefix(5).elementsEqual("data:".utf8),
            let comma = uri.utf8.firstIndex(of: UInt8(ascii: ","))
        else { return nil }
        let head = uri[uri.utf8.index(uri.startIndex, offsetBy: 5)..<comma]
        guard head.hasSuffix(";base64") else { return nil }
        return (String(head.dropLast(7)), uri[uri.utf8.index(after: comma)...])
    }
}
