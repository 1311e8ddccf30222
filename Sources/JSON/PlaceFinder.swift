/// Follows a path through a text, to say where a value stands.
struct PlaceFinder {
    private var reader: PlainReader
    /// Where the last value on the path begins.
    private var found: Int

    init(_ bytes: [UInt8], from start: Int) {
        reader = PlainReader(bytes, from: start, maxDepth: JSONReader.maxDepth)
        found = start
    }

    /// The byte where the value begins that the path leads to from an item of the file, or the last that is there.
    mutating func offset(of path: [JSONStep], item: Int) -> Int {
        // A text with a flaw leads as far as the flaw; the reader of the file has told that one.
        do throws(JSONFlaw) {
            arrive()
            if reader.next == UInt8(ascii: "[") {
                guard try step(.index(item)) else { return found }
            }
            for step in path {
                guard try self.step(step) else { return found }
            }
        } catch {}
        return found
    }

    private mutating func arrive() {
        reader.skipSpace()
        found = reader.at
    }

    /// Goes from the value at the reader to one in it; false if that one is not there.
    private mutating func step(_ step: JSONStep) throws(JSONFlaw) -> Bool {
        switch (step, reader.next) {
        case (.key(let key), UInt8(ascii: "{")):
            try reader.enter()
            reader.skipSpace()
            if reader.next == UInt8(ascii: "}") { return false }
            repeat {
                if try reader.name().isExactly(key) {
                    arrive()
                    return true
                }
                _ = try reader.value()
            } while try reader.another(until: "}")
            return false
        case (.index(let index), UInt8(ascii: "[")):
            try reader.enter()
            for _ in 0..<index {
                _ = try reader.value()
                guard try reader.another(until: "]") else { return false }
            }
            arrive()
            return reader.next != UInt8(ascii: "]")
        default:
            return false
        }
    }
}
