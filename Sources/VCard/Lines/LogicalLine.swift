/// A line of a vCard after unfolding (RFC 6350, 3.2), as bytes: a fold may stand inside a character.
struct LogicalLine {
    /// Where it begins, counted from 1.
    let line: Int
    var bytes: [UInt8]

    /// Unfolds a file; empty lines are left out.
    ///
    /// Lines end with CR LF, LF or CR. vCard 2.1 has two more ways to go on: a quoted-printable line that ends with
    /// `=`, and base64 whose further lines are not indented.
    static func all(_ bytes: [UInt8]) -> [LogicalLine] {
        var out: [LogicalLine] = []
        var goesOn = GoesOn.no
        for (number, physical) in physicalLines(bytes) {
            let isIndented = physical.first == UInt8(ascii: " ") || physical.first == UInt8(ascii: "\t")
            if goesOn == .quotedPrintable, !out.isEmpty {
                out[out.count - 1].bytes.removeLast()
                out[out.count - 1].bytes += physical
            } else if isIndented, !out.isEmpty {
                out[out.count - 1].bytes += physical.dropFirst()
            } else if goesOn == .base64, !out.isEmpty, !physical.isEmpty, isBase64(physical) {
                out[out.count - 1].bytes += physical
            } else if physical.contains(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }) {
                out.append(LogicalLine(line: number, bytes: Array(physical)))
                goesOn = .no
            } else {
                goesOn = .no
                continue
            }
            goesOn = out.last.map { $0.goesOn(after: goesOn) } ?? .no
        }
        return out
    }

    private enum GoesOn {
        case no
        case quotedPrintable
        case base64
    }

    /// Whether more may come that no indent shows.
    private func goesOn(after before: GoesOn) -> GoesOn {
        if before == .base64 { return .base64 }
        // Encodings are named before the colon, and their names are short.
        guard let colon = bytes.prefix(200).firstIndex(of: UInt8(ascii: ":")) else { return .no }
        guard bytes[..<colon].contains(UInt8(ascii: ";")) else { return .no }
        let small = UInt8(ascii: "a")...UInt8(ascii: "z")
        let head = bytes[..<colon].map { small.contains($0) ? $0 - 0x20 : $0 }
        if Self.holds(head, "QUOTED-PRINTABLE") {
            return bytes.last == UInt8(ascii: "=") ? .quotedPrintable : .no
        }
        return Self.holds(head, "ENCODING=B") || Self.holds(head, ";BASE64") ? .base64 : .no
    }

    /// Whether a word stands somewhere in bytes; a search in a String is ten times as long, and this is for each line.
    private static func holds(_ bytes: [UInt8], _ word: String) -> Bool {
        guard let first = word.utf8.first else { return true }
        return bytes.indices.contains { bytes[$0] == first && bytes[$0...].starts(with: word.utf8) }
    }

    private static func isBase64(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): true
            default: false
            }
        }
    }

    private static func physicalLines(_ bytes: [UInt8]) -> [(Int, ArraySlice<UInt8>)] {
        var out: [(Int, ArraySlice<UInt8>)] = []
        var start = 0
        var at = 0
        let (cr, lf) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))
        while at < bytes.count {
            let byte = bytes[at]
            if byte == cr || byte == lf {
                out.append((out.count + 1, bytes[start..<at]))
                if byte == cr, at + 1 < bytes.count, bytes[at + 1] == lf { at += 1 }
                start = at + 1
            }
            at += 1
        }
        if start < bytes.count { out.append((out.count + 1, bytes[start...])) }
        return out
    }
}
