import JSON

/// The text of a file in which some items are changed and all else is carried through as it is.
package enum FileText {
    /// - Parameters:
    ///   - texts: for the places of changed items their new text, nil to take them out.
    /// - Returns: the new bytes. In an array all other items, bad ones included, keep theirs.
    package static func replacing(_ bytes: [UInt8], _ parsed: ParsedFile, _ texts: [Int: [UInt8]?]) -> [UInt8]
    {
        guard parsed.isArray else {
            let text = (texts[0] ?? nil) ?? Array(bytes[parsed.ranges[0]])
            return text + [newLine]
        }
        var out: [UInt8] = [UInt8(ascii: "["), newLine]
        var isFirst = true
        for (place, range) in parsed.ranges.enumerated() {
            let text: [UInt8]
            switch texts[place] {
            case .some(.none): continue
            case .some(.some(let new)): text = indented(new)
            case .none: text = Array(bytes[range])
            }
            if !isFirst { out += [UInt8(ascii: ","), newLine] }
            isFirst = false
            out += [UInt8(ascii: " "), UInt8(ascii: " ")] + text
        }
        return out + [newLine, UInt8(ascii: "]"), newLine]
    }

    private static let newLine = UInt8(ascii: "\n")

    private static func indented(_ text: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        for byte in text {
            out.append(byte)
            if byte == newLine { out += [UInt8(ascii: " "), UInt8(ascii: " ")] }
        }
        return out
    }
}
