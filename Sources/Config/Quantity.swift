/// Amounts as people write them.
enum Quantity {
    private static let units: [String: Int] = [
        "": 1, "b": 1,
        "kb": 1000, "mb": 1_000_000, "gb": 1_000_000_000, "tb": 1_000_000_000_000,
        "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
    ]

    /// Bytes from a text such as `256 MiB`, `10 MB` or `4096`; nil if it is none, or beyond what a number holds.
    static func bytes(_ text: String) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }.lowercased()
        guard let number = Int(digits), let factor = units[unit] else { return nil }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: factor)
        return overflow ? nil : bytes
    }

    /// Per cent from a text such as `30%` or `30 %`; nil if it is none from 0 to 100.
    static func percent(_ text: String) -> Int? {
        guard text.hasSuffix("%") else { return nil }
        let digits = text.dropLast().prefix { $0 != " " }
        guard text.dropLast().dropFirst(digits.count).allSatisfy({ $0 == " " }) else { return nil }
        guard let number = Int(digits), digits.first != "+", (0...100).contains(number) else { return nil }
        return number
    }
}
