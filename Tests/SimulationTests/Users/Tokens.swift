/// Every value that a simulated user writes contains a token that no other has: `q17z`.
enum Tokens {
    /// The last digits of the numbers in a text that several contacts share.
    static func sharedNumbers(in bytes: [UInt8]) -> Set<UInt8> {
        let prefix = Array(Change.shared[0].utf8.dropLast())
        var found: Set<UInt8> = []
        var at = 0
        while at + prefix.count < bytes.count {
            if bytes[at] == prefix[0], bytes[at..<(at + prefix.count)].elementsEqual(prefix) {
                found.insert(bytes[at + prefix.count])
            }
            at += 1
        }
        return found
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        byte >= 0x61 && byte <= 0x7A || byte >= 0x30 && byte <= 0x39 || byte >= 0x41 && byte <= 0x5A
    }

    /// All tokens in a text.
    static func all(in bytes: [UInt8]) -> Set<String> {
        var found: Set<String> = []
        var at = 0
        while at < bytes.count {
            // Made Ids may have such letters inside.
            guard bytes[at] == UInt8(ascii: "q"), at == 0 || !isOfWord(bytes[at - 1]) else {
                at += 1
                continue
            }
            var end = at + 1
            while end < bytes.count, bytes[end] >= 0x30, bytes[end] <= 0x39 { end += 1 }
            if end > at + 1, end < bytes.count, bytes[end] == UInt8(ascii: "z"),
                end + 1 == bytes.count || !isOfWord(bytes[end + 1])
            {
                found.insert(String(decoding: bytes[at...end], as: UTF8.self))
            }
            at = end
        }
        return found
    }
}
