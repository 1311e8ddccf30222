/// Small lists in one column: numbers as eight bytes each, texts as netstrings (https://cr.yp.to/proto/netstrings.txt).
enum Packing {
    static func pack(_ numbers: [Int64]) -> [UInt8] {
        numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    }

    /// What `pack` wrote; a rest of less than eight bytes is left out.
    static func numbers(_ bytes: [UInt8]) -> [Int64] {
        stride(from: 0, to: bytes.count - bytes.count % 8, by: 8).map { start in
            (0..<8).reduce(0) { $0 | Int64(bytes[start + $1]) << (8 * $1) }
        }
    }

    static func pack(_ texts: [String]) -> [UInt8] {
        texts.flatMap { text in Array("\(text.utf8.count):".utf8) + Array(text.utf8) + [UInt8(ascii: ",")] }
    }

    /// What `pack` wrote, up to the first place where it is damaged.
    static func texts(_ bytes: [UInt8]) -> [String] {
        var texts: [String] = []
        var rest = bytes[...]
        while let colon = rest.firstIndex(of: UInt8(ascii: ":")),
            let count = Int(String(decoding: rest[..<colon], as: UTF8.self)),
            (0..<rest.endIndex - colon - 1).contains(count)
        {
            let end = colon + 1 + count
            guard rest[end] == UInt8(ascii: ",") else { break }
            texts.append(String(decoding: rest[(colon + 1)..<end], as: UTF8.self))
            rest = rest[(end + 1)...]
        }
        return texts
    }
}
