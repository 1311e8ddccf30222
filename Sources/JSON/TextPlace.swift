/// Line and column of a byte in a text, counted on from one place to the next.
struct TextPlace {
    private(set) var line = 1
    private(set) var column = 1
    private var offset = 0

    /// Goes on to a byte that is not before the last one.
    mutating func advance(to end: Int, in bytes: [UInt8]) {
        if offset == 0, bytes.starts(with: JSONDocument.byteOrderMark) {
            offset = min(end, JSONDocument.byteOrderMark.count)
        }
        while offset < min(end, bytes.count) {
            switch bytes[offset] {
            case UInt8(ascii: "\n"):
                newLine()
            case UInt8(ascii: "\r"):
                // CR LF is one line end, which its LF counts.
                if offset + 1 == bytes.count || bytes[offset + 1] != UInt8(ascii: "\n") { newLine() }
            case 0x80..<0xC0:
                break  // the rest of a code point
            default:
                column += 1
            }
            offset += 1
        }
    }

    private mutating func newLine() {
        line += 1
        column = 1
    }
}
