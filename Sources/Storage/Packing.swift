/// Small lists in one column: numbers as eight bytes each, texts as netstrings (https://cr.yp.to/proto/netstrings.txt).
enum Packing {
    static func pack(_ numbers: [Int64]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(8 * numbers.count)
        for number in numbers {
            unsafe withUnsafeBytes(of: number.littleEndian) { unsafe bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    /// What `pack` wrote; a rest of less than eight bytes is left out.
    static func numbers(_ bytes: [UInt8]) -> [Int64] {
        unsafe bytes.withUnsafeBytes { raw in
            stride(from: 0, to: raw.count - raw.count % 8, by: 8).map {
                Int64(littleEndian: unsafe raw.loadUnaligned(fromByteOffset: $0, as: Int64.self))
            }
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
