/// The number itself: digits, what parts them, and perhaps letters to be dialled.
struct PhoneBody {
    private(set) var readings: [PhoneText.Reading] = []
    private(set) var notNumbers: [String] = []
    private(set) var notBothNumbers: [[String]] = []

    /// Takes what is left between remarks and tail; nil if it is not one number.
    init?(_ tokens: [PhoneToken]) {
        guard Self.hasPlusInFrontOnly(tokens), Self.hasKnownMarks(tokens), Self.endsWithoutGroup(tokens),
            slashesPartTheAreaCode(tokens)
        else { return nil }
        let digits = tokens.allDigits
        let plus = tokens.contains(.mark("+")) ? "+" : ""
        guard digits.utf8.count >= 2 else { return nil }
        if tokens.contains(where: { $0.word != nil }) {
            addReadingsWithWords(tokens, plus)
        } else {
            readings = [PhoneText.Reading(digits: plus + digits, vanity: .none)]
            if let shorter = Self.withoutTrunkGroup(tokens) {
                readings.append(PhoneText.Reading(digits: plus + shorter, vanity: .none))
            }
        }
        findSecondNumber(tokens, plus)
    }

    private static func hasPlusInFrontOnly(_ tokens: [PhoneToken]) -> Bool {
        let plus = tokens.indices.filter { tokens[$0] == .mark("+") }
        guard plus.count <= 1, let at = plus.first else { return plus.isEmpty }
        return tokens[..<at].allSatisfy { $0.isBlank || $0.isMark("([") }
    }

    private static func hasKnownMarks(_ tokens: [PhoneToken]) -> Bool {
        tokens.allSatisfy { $0.mark == nil || $0.isMark("+()[]-./'_") }
    }

    /// `030 23125123 (45)` may be an extension, or a second number: no one knows.
    private static func endsWithoutGroup(_ tokens: [PhoneToken]) -> Bool {
        guard tokens.last?.isMark(")]") ?? false, let open = tokens.lastIndex(where: { $0.isMark("([") })
        else {
            return true
        }
        return tokens[..<open].allDigits.isEmpty
    }

    /// `030/23125123` parts the area code; `23125123/124` are two numbers.
    private mutating func slashesPartTheAreaCode(_ tokens: [PhoneToken]) -> Bool {
        guard let last = tokens.lastIndex(of: .mark("/")) else { return true }
        let before = tokens[..<last].allDigits
        let after = tokens[(last + 1)...].allDigits
        let isInternational = tokens.contains(.mark("+")) || before.hasPrefix("00")
        // Area codes have up to five digits and the zero; a country code before it up to three more, or 00 and three.
        let longest = isInternational ? 10 : before.hasPrefix("0") ? 6 : 4
        guard before.utf8.count <= longest, after.utf8.count >= 5 else { return false }
        notNumbers.append((tokens.contains(.mark("+")) ? "+" : "") + before)
        return true
    }

    /// `+44 (0)20`: the zero is for those at home. Where the number plan keeps it the first reading is valid.
    private static func withoutTrunkGroup(_ tokens: [PhoneToken]) -> String? {
        let trunks: Set<String> = ["0", "00", "01", "06", "8"]
        for (n, token) in tokens.enumerated() where token.isMark("([") {
            let before = tokens[..<n].allDigits
            guard let close = tokens[n...].firstIndex(where: { $0.isMark(")]") }),
                trunks.contains(tokens[n..<close].allDigits), !before.isEmpty,
                tokens.contains(.mark("+")) || before.hasPrefix("0")
            else { continue }
            return before + tokens[close...].allDigits
        }
        return nil
    }

    /// Letters are a remark behind the number, or a word to be dialled.
    private mutating func addReadingsWithWords(_ tokens: [PhoneToken], _ plus: String) {
        let words = tokens.compactMap(\.word)
        guard let first = tokens.firstIndex(where: { $0.word != nil }), first > 0 else { return }
        let isBehind = tokens[first...].allDigits.isEmpty
        let isTied = !tokens[first - 1].isBlank
        if isBehind, !isTied {
            readings.append(PhoneText.Reading(digits: plus + tokens.allDigits, vanity: .none))
        }
        // One or two letters are an abbreviation; a word that says what the number is for is no name of a company.
        let letters = words.joined()
        guard letters.utf8.count >= 3, letters.utf8.allSatisfy({ Self.key($0) != nil }),
            !words.contains(where: { PhoneRemarks.labels.contains($0.lowercased()) })
        else { return }
        let isCapitals = letters.utf8.allSatisfy { $0 < UInt8(ascii: "a") }
        guard isCapitals || isTied else { return }
        let dialled = tokens.compactMap { token in
            token.digits ?? token.word.map { String(decoding: $0.utf8.compactMap(Self.key), as: UTF8.self) }
        }
        readings.append(
            PhoneText.Reading(digits: plus + dialled.joined(), vanity: isCapitals ? .capitals : .tied)
        )
    }

    /// The key of a letter on the keypad (ITU-T E.161); nil for other than A to Z.
    private static func key(_ letter: UInt8) -> UInt8? {
        guard UInt8(ascii: "a")...UInt8(ascii: "z") ~= letter | 0x20 else { return nil }
        return Array("22233344455566677778889999".utf8)[Int((letter | 0x20) - UInt8(ascii: "a"))]
    }

    /// Where a group behind a blank or dash begins as a number does, both sides may be numbers.
    private mutating func findSecondNumber(_ tokens: [PhoneToken], _ plus: String) {
        for n in tokens.indices.dropFirst() where tokens[n].digits?.hasPrefix("0") ?? false {
            guard tokens[n - 1].digits == nil else { continue }
            let before = tokens[..<n].allDigits
            let after = tokens[n...].allDigits
            if before.utf8.count >= 5, after.utf8.count >= 5 {
                notBothNumbers.append([plus + before, after])
            }
        }
    }
}
