import CSimdJSON

/// Builds values from what simdjson found: the fast way, which answers nil wherever a text is not plainly right.
///
/// simdjson gives no place for an error, accepts a name twice and rounds numbers; for all of that `PlainReader`
/// looks again.
enum Tape {
    /// A text of more values and names than are allowed; nothing else was found wrong with it so far.
    struct TooMany: Error {}

    /// The one value of a text.
    static func value(_ bytes: [UInt8], maxDepth: Int, maxValues: Int) throws(TooMany) -> JSONValue? {
        try unsafe bytes.withUnsafeBufferPointer { text throws(TooMany) in
            var tooMany = false
            guard
                let nodes = unsafe csimdjson_read(
                    text.baseAddress,
                    text.count,
                    maxDepth,
                    maxValues,
                    &tooMany
                )
            else {
                if tooMany { throw TooMany() }
                return nil
            }
            var cursor = unsafe TapeCursor(next: nodes)
            return cursor.value()
        }
    }

    /// The elements of the array that a text is, or the one value that it is, with the bytes where each begins and
    /// ends, counted from the given offset of the text.
    static func items(
        _ bytes: [UInt8],
        from offset: Int,
        maxDepth: Int
    ) -> (isArray: Bool, items: [(value: JSONValue, range: Range<Int>)])? {
        unsafe bytes.withUnsafeBufferPointer { all in
            let text = unsafe UnsafeBufferPointer(rebasing: all.dropFirst(offset))
            var tooMany = false
            guard let nodes = unsafe csimdjson_read(text.baseAddress, text.count, maxDepth, Int.max, &tooMany)
            else {
                return nil
            }
            var cursor = unsafe TapeCursor(next: nodes)
            let isArray = unsafe Int(nodes.pointee.kind) == CSimdJSONArray
            let count = unsafe isArray ? Int(nodes.pointee.count) : 1
            if isArray { cursor.skip() }
            var items: [(value: JSONValue, range: Range<Int>)] = []
            items.reserveCapacity(count)
            for _ in 0..<count {
                let node = unsafe cursor.node
                let start = unsafe Int(node.start) + offset
                let kind = unsafe Int(node.kind)
                let isNested = kind == CSimdJSONArray || kind == CSimdJSONObject
                // Scalars end where the text says; only contacts are looked at more closely, and they are objects.
                let end =
                    unsafe isNested ? Int(node.end) + offset : PlainReader.endOfScalar(at: start, in: bytes)
                items.append((cursor.value(), start..<end))
            }
            return (isArray, items)
        }
    }
}

/// Walks the nodes in order. The nodes outlive it: it is made and dropped within one call of `Tape`.
@safe private struct TapeCursor {
    private var next: UnsafePointer<CSimdJSONNode>

    init(next: UnsafePointer<CSimdJSONNode>) { unsafe self.next = next }

    var node: CSimdJSONNode { unsafe next.pointee }

    mutating func skip() { unsafe next += 1 }

    /// Takes the value at the cursor; the depth was bounded when the nodes were made.
    mutating func value() -> JSONValue {
        let node = unsafe self.node
        let count = unsafe Int(node.count)
        switch unsafe Int(node.kind) {
        case CSimdJSONNull:
            skip()
            return .null
        case CSimdJSONTrue:
            skip()
            return .bool(true)
        case CSimdJSONFalse:
            skip()
            return .bool(false)
        case CSimdJSONNumber:
            return .number(text())
        case CSimdJSONString:
            return .string(text())
        case CSimdJSONArray:
            skip()
            var elements: [JSONValue] = []
            elements.reserveCapacity(count)
            for _ in 0..<count { elements.append(value()) }
            return .array(elements)
        default:
            skip()
            var members: [JSONObject.Member] = []
            members.reserveCapacity(count)
            for _ in 0..<count {
                let key = text()
                members.append(JSONObject.Member(key: key, value: value()))
            }
            return .object(JSONObject(uniqueMembers: members))
        }
    }

    private mutating func text() -> String {
        let node = unsafe self.node
        skip()
        guard let start = unsafe node.text else { return "" }
        return unsafe UnsafeRawPointer(start).withMemoryRebound(to: UInt8.self, capacity: Int(node.count)) {
            unsafe String(decoding: UnsafeBufferPointer(start: $0, count: Int(node.count)), as: UTF8.self)
        }
    }
}
