/// The exact value of a JSON number: digits without leading or trailing zeros, times a power of ten.
struct Decimal: Hashable {
    private var negative = false
    private var digits: [UInt8] = []
    private var exponent = 0

    /// Reads the text of a JSON number; the parser has checked its grammar.
    init(_ text: String) {
        var inFraction = false
        var bytes = Array(text.utf8)[...]
        if bytes.first == UInt8(ascii: "-") {
            negative = true
            bytes = bytes.dropFirst()
        }
        while let byte = bytes.popFirst() {
            switch byte {
            case UInt8(ascii: "."):
                inFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                // An exponent beyond Int is beyond all use; such numbers are told apart by their sign only.
                let power = String(decoding: bytes, as: UTF8.self)
                exponent += Int(power) ?? (power.hasPrefix("-") ? Int.min / 2 : Int.max / 2)
                bytes = []
            default:
                digits.append(byte)
                if inFraction { exponent -= 1 }
            }
        }
        while digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            exponent += 1
        }
        digits = Array(digits.drop { $0 == UInt8(ascii: "0") })
        if digits.isEmpty { (negative, exponent) = (false, 0) }
    }
}
