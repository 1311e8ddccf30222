/// What is wrong with a JSON text, and where.
package struct JSONFlaw: Error, Hashable, Sendable {
    /// Counted from 1; a line ends with LF, CR LF or CR.
    package let line: Int
    /// Counted from 1, in code points; a byte order mark does not count.
    package let column: Int
    /// A clause for people, without a full stop.
    package let reason: String

    package init(line: Int, column: Int, reason: String) {
        self.line = line
        self.column = column
        self.reason = reason
    }

    init(at offset: Int, in bytes: [UInt8], _ reason: String) {
        var place = TextPlace()
        place.advance(to: offset, in: bytes)
        self.init(line: place.line, column: place.column, reason: reason)
    }
}
