/// Every value that a simulated user writes contains a token that no other has: `q17z`.
enum Tokens {
    /// All tokens in a text.
    static func all(in bytes: [UInt8]) -> Set<String> {
        var found: Set<String> = []
        var at = 0
        while at < bytes.count {
            guard bytes[at] == UInt8(ascii: "q") else {
                at += 1
                continue
            }
            var end = at + 1
            while end < bytes.count, bytes[end] >= 0x30, bytes[end] <= 0x39 { end += 1 }
            if end > at + 1, end < bytes.count, bytes[end] == UInt8(ascii: "z") {
                found.insert(String(decoding: bytes[at...end], as: UTF8.self))
            }
            at = end
        }
        return found
    }
}
