/// A file of JSON: one value, or an array whose elements stand each for itself.
package struct JSONDocument: Sendable {
    /// One value of the file.
    package struct Item: Sendable {
        /// The value, or what costs this item alone: a name given twice, half a surrogate pair.
        package let value: Result<JSONValue, JSONFlaw>
        /// The bytes of the item in the text that was read; a byte order mark counts.
        package let range: Range<Int>
        /// The line where the item begins, from 1.
        package let line: Int
        /// The column where the item begins, from 1, in code points.
        package let column: Int
    }

    /// Whether the text is an array; then `items` are its elements.
    package let isArray: Bool
    /// The items in order; exactly one if the text is no array.
    package let items: [Item]

    /// The most that a file may hold, in bytes: a card with a photo of 5 MiB fits, a stray dump does not.
    package static let maxBytes = 8 << 20

    /// U+FEFF in UTF-8, which a Windows editor puts before the text (RFC 8259, section 8.1).
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Reads the bytes of a file.
    ///
    /// Throws what costs the whole file: nothing in it, more than `maxBytes`, bad UTF-8, bad syntax, nesting deeper
    /// than `JSONReader.maxDepth` (the array of the file counts as a level).
    package static func read(_ bytes: [UInt8], maxBytes: Int = maxBytes) throws(JSONFlaw) -> JSONDocument {
        guard bytes.count <= maxBytes else {
            throw JSONFlaw(line: 1, column: 1, reason: "the file is larger than \(maxBytes >> 20) MiB")
        }
        let start = self.start(of: bytes)
        if let (isArray, items) = Tape.items(bytes, from: start, maxDepth: JSONReader.maxDepth) {
            var place = TextPlace()
            return JSONDocument(
                isArray: isArray,
                items: items.map { item in
                    Item(.success(item.value), item.range, &place, bytes)
                }
            )
        }
        return try readPlainly(bytes, from: start)
    }

    /// Where a value stands: the one that the path leads to from an item, or the last on the path that is there.
    ///
    /// A member is found at its value. The text is one that `read` accepted.
    package static func place(
        of path: [JSONStep],
        item: Int,
        in bytes: [UInt8]
    ) -> (line: Int, column: Int) {
        var finder = PlaceFinder(bytes, from: start(of: bytes))
        var place = TextPlace()
        place.advance(to: finder.offset(of: path, item: item), in: bytes)
        return (place.line, place.column)
    }

    private static func start(of bytes: [UInt8]) -> Int {
        bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0
    }

    private static func readPlainly(_ bytes: [UInt8], from start: Int) throws(JSONFlaw) -> JSONDocument {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            throw JSONFlaw(line: 1, column: 1, reason: "the file is UTF-16, not UTF-8")
        }
        try UTF8Check.check(bytes)
        var reader = PlainReader(bytes, from: start, maxDepth: JSONReader.maxDepth)
        var place = TextPlace()
        var items: [Item] = []
        reader.skipSpace()
        if reader.next == nil { throw JSONFlaw(line: 1, column: 1, reason: "the file is empty") }
        let isArray = reader.next == UInt8(ascii: "[")
        if isArray {
            try reader.enter()
            reader.skipSpace()
            if !reader.take("]") {
                repeat {
                    items.append(try item(&reader, &place))
                } while try reader.another(until: "]")
            }
            reader.leave()
        } else {
            items.append(try item(&reader, &place))
        }
        try reader.end()
        return JSONDocument(isArray: isArray, items: items)
    }

    private static func item(_ reader: inout PlainReader, _ place: inout TextPlace) throws(JSONFlaw) -> Item {
        reader.skipSpace()
        reader.flawOfItem = nil
        let start = reader.at
        let value = try reader.value()
        return Item(
            reader.flawOfItem.map { .failure($0) } ?? .success(value),
            start..<reader.at,
            &place,
            reader.bytes
        )
    }
}

extension JSONDocument.Item {
    fileprivate init(
        _ value: Result<JSONValue, JSONFlaw>,
        _ range: Range<Int>,
        _ place: inout TextPlace,
        _ bytes: [UInt8]
    ) {
        place.advance(to: range.lowerBound, in: bytes)
        self.init(value: value, range: range, line: place.line, column: place.column)
    }
}
