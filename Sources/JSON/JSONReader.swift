/// Reads one strict JSON value (RFC 8259, and I-JSON, RFC 7493): what the wire, the store and the socket carry.
package enum JSONReader {
    /// The levels of arrays and objects that a text may have. No real card has ten; every reader of ours recurses,
    /// so depth has to be bounded.
    package static let maxDepth = 64

    /// The deepest limit that may be asked for, in levels; it keeps recursion far from the end of the stack.
    package static let greatestMaxDepth = 512

    /// Reads UTF-8 text that holds exactly one value.
    ///
    /// Throws the first flaw of: bad UTF-8, bad syntax, more than `maxDepth` levels, more than `maxValues` values and
    /// names (memory follows their number, not the bytes), a name given twice in one object, half a surrogate pair. Numbers keep their text. A byte order mark is a flaw here.
    package static func value(
        _ bytes: [UInt8],
        maxDepth: Int = JSONReader.maxDepth,
        maxValues: Int = .max
    ) throws(JSONFlaw) -> JSONValue {
        precondition(1...greatestMaxDepth ~= maxDepth, "the depth limit is between 1 and \(greatestMaxDepth)")
        do throws(Tape.TooMany) {
            if let value = try Tape.value(bytes, maxDepth: maxDepth, maxValues: maxValues) { return value }
        } catch {
            // The second reader would come to the same, but at length.
            throw JSONFlaw(line: 1, column: 1, reason: "there are more than \(maxValues) values and names")
        }
        try UTF8Check.check(bytes)
        var reader = PlainReader(bytes, maxDepth: maxDepth, maxValues: maxValues)
        let value = try reader.onlyValue()
        if let flaw = reader.flawOfItem { throw flaw }
        return value
    }
}
