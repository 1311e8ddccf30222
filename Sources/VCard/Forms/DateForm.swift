/// The notations of dates in vCards, all brought to the basic one of RFC 6350, 4.3 (`19960415`, `--0415`,
/// `19961022T140000Z`).
enum DateForm {
    /// The basic notation of a date or date with time; nil for what is neither.
    static func basic(_ text: String) -> String? {
        let text = text.trimmed.uppercased()
        let parts = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
        let date = parts[0].isEmpty ? "" : basicDate(String(parts[0]))
        guard let date else { return nil }
        guard parts.count == 2 else { return date.isEmpty ? nil : date }
        let time = parts[1].filter { $0 != ":" }
        guard !time.isEmpty, time.allSatisfy({ $0.isNumber && $0.isASCII || "Z+-.".contains($0) }) else {
            return nil
        }
        return date + "T" + time
    }

    private static func basicDate(_ text: String) -> String? {
        func digits(_ text: some StringProtocol, _ count: Int) -> Bool {
            text.utf8.count == count && text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
        }
        if digits(text, 8) || digits(text, 4) { return text }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        switch parts.count {
        // 1996-04-15, --04-15 has four parts.
        case 3 where digits(parts[0], 4) && digits(parts[1], 2) && digits(parts[2], 2):
            return parts.joined()
        case 2 where digits(parts[0], 4) && digits(parts[1], 2): return text
        // --0415, --04
        case 3 where parts[0].isEmpty && parts[1].isEmpty && (digits(parts[2], 4) || digits(parts[2], 2)):
            return text
        case 4 where parts[0].isEmpty && parts[1].isEmpty && digits(parts[2], 2) && digits(parts[3], 2):
            return "--" + parts[2] + parts[3]
        // ---15
        case 4 where parts.dropLast().allSatisfy(\.isEmpty) && digits(parts[3], 2): return text
        default: return nil
        }
    }

    /// The extended notation that vCard 3.0 readers know best; other texts as they are.
    static func extended(_ text: String) -> String {
        let parts = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init
        )
        var date = parts[0]
        if date.utf8.count == 8, date.allSatisfy(\.isNumber) {
            date = "\(date.prefix(4))-\(date.dropFirst(4).prefix(2))-\(date.suffix(2))"
        }
        guard parts.count == 2 else { return date }
        let digits = parts[1].prefix { $0.isNumber }
        guard digits.count == 6, date.utf8.count == 10 else { return text }
        let time = "\(digits.prefix(2)):\(digits.dropFirst(2).prefix(2)):\(digits.suffix(2))"
        return "\(date)T\(time)\(parts[1].dropFirst(6))"
    }

    /// `19961022T140000Z` as RFC 3339 has it; nil for everything else.
    static func timestamp(_ basic: String) -> String? {
        let text = extended(basic)
        guard text.hasSuffix("Z"), text.utf8.count >= 20, text.contains("T") else { return nil }
        let fraction = text.dropFirst(19).dropLast()
        guard fraction.isEmpty || fraction.first == "." && fraction.dropFirst().allSatisfy(\.isNumber) else {
            return nil
        }
        return text
    }
}
