/// Quoted-printable (RFC 2045, 6.7), as vCard 2.1 has it.
enum QuotedPrintable {
    /// The bytes that a text stands for; what is no escape stays as it is.
    static func decoded(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var out: [UInt8] = []
        var rest = Array(bytes)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "="), let high = rest.first?.hexDigit,
                let low = rest.dropFirst().first?.hexDigit
            {
                out.append(high << 4 | low)
                rest.removeFirst(2)
            } else {
                out.append(byte)
            }
        }
        return out
    }
}

extension UInt8 {
    fileprivate var hexDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
