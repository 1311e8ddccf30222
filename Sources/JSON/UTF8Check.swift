/// Finds the first byte of a text that is not UTF-8 (RFC 3629: no overlong form, no surrogate, nothing above U+10FFFF).
enum UTF8Check {
    /// Throws a flaw at the first wrong byte.
    static func check(_ bytes: [UInt8]) throws(JSONFlaw) {
        var at = 0
        while at < bytes.count {
            let byte = bytes[at]
            if byte < 0x80 {
                at += 1
                continue
            }
            let length = self.length(byte)
            guard length > 0, at + length <= bytes.count,
                range(second: byte).contains(bytes[at + 1]),
                bytes[(at + 1)..<(at + length)].allSatisfy({ $0 & 0xC0 == 0x80 })
            else {
                throw JSONFlaw(at: at, in: bytes, "the byte 0x\(hex(byte)) is no UTF-8")
            }
            at += length
        }
    }

    private static func length(_ lead: UInt8) -> Int {
        switch lead {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 0
        }
    }

    /// What may follow a lead byte (RFC 3629, section 4).
    private static func range(second lead: UInt8) -> ClosedRange<UInt8> {
        switch lead {
        case 0xE0: 0xA0...0xBF
        case 0xED: 0x80...0x9F
        case 0xF0: 0x90...0xBF
        case 0xF4: 0x80...0x8F
        default: 0x80...0xBF
        }
    }

    static func hex(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}
