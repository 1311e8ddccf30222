/// What stands behind a number: an extension, digits to dial after the connection, a remark, or nothing.
struct PhoneTail {
    /// Digits of the extension, or to be dialled afterwards.
    private(set) var digits = ""
    /// Digits that may be a second number instead.
    private(set) var notNumbers: [String] = []

    /// Cuts the tail off; nil if what stands there is not understood.
    init?(cuttingFrom tokens: inout [PhoneToken]) {
        trimEnd(&tokens)
        guard let start = Self.start(in: tokens) else { return }
        let tail = tokens[start...]
        let marker = tail.first
        if let marker, Self.isExtensionWord(marker) || marker.isMark("#") {
            guard let digits = Self.extensionDigits(tail) else { return nil }
            self.digits = digits
        } else if tail.allSatisfy({ $0.digits == nil }) {
            // ", privat": a remark.
            guard !tail.contains(where: { $0.isMark("+*#") || Self.isExtensionWord($0) }) else { return nil }
        } else {
            guard dialAfterwards(tail) else { return nil }
        }
        tokens.removeSubrange(start...)
        trimEnd(&tokens)
        // "(ext. 45)", "- ext. 45"
        while let last = tokens.last, last.isMark("([-,;.:/") || last.isBlank { tokens.removeLast() }
    }

    /// The first token behind the first digits that begins a tail.
    private static func start(in tokens: [PhoneToken]) -> Int? {
        guard let first = tokens.firstIndex(where: { $0.digits != nil }) else { return nil }
        return tokens.indices.first { n in
            guard n > first else { return false }
            let token = tokens[n]
            if token.isMark(",;#") || isExtensionWord(token) { return true }
            guard let word = token.word?.lowercased() else { return false }
            return isPause(word) && tokens[(n + 1)...].first { !$0.isBlank }?.digits != nil
        }
    }

    /// `,` `;` `p` `w`: digits behind them are dialled after the connection, unless they are a number of their own.
    private mutating func dialAfterwards(_ tail: ArraySlice<PhoneToken>) -> Bool {
        // ", ext. 45"
        if let word = tail.firstIndex(where: { $0.word != nil || $0.digits != nil || $0.isMark("#") }),
            Self.isExtensionWord(tail[word]) || tail[word].isMark("#")
        {
            guard let digits = Self.extensionDigits(tail[word...]) else { return false }
            self.digits = digits
            return true
        }
        // A remark behind the digits says nothing about them.
        let isUnderstood = tail.allSatisfy { token in
            token.digits != nil || token.isBlank || token.isMark(",;#*-.")
                || token.word.map { Self.isPause($0.lowercased()) } ?? false
        }
        guard isUnderstood else { return false }
        digits = tail.allDigits
        // One comma may part two numbers as well; two commas, p, w or a closing # do not.
        let pauses = tail.filter { $0.isMark(",;") || $0.word != nil }
        guard pauses.count == 1, pauses.first?.word == nil, tail.last?.isMark("#") == false,
            digits.utf8.count >= 5
        else { return true }
        notNumbers = [digits]
        // Written as people write numbers: not dialled by a machine.
        return !tail.drop { $0.isMark(",;") }.contains { $0.isBlank || $0.isMark("-.") }
    }

    /// The digits behind the marker at the start; nil if there are none, or more than digits.
    private static func extensionDigits(_ tail: ArraySlice<PhoneToken>) -> String? {
        var rest = tail.dropFirst().drop { token in
            token.isBlank || token.isMark(".:=#-°'") || numberWords.contains(token.word?.lowercased() ?? "")
        }
        var digits = ""
        while let token = rest.first, token.digits != nil || token.isBlank || token.isMark("-.") {
            digits += token.digits ?? ""
            rest = rest.dropFirst()
        }
        // A remark may follow; more digits are more than an extension.
        let isRemark = rest.allSatisfy { $0.digits == nil && !$0.isMark("+*#") && !isExtensionWord($0) }
        return digits.isEmpty || !isRemark ? nil : digits
    }

    private static func isPause(_ word: String) -> Bool { word.allSatisfy { $0 == "p" || $0 == "w" } }

    static func isExtensionWord(_ token: PhoneToken) -> Bool {
        token.word.map { extensionWords.contains($0.lowercased()) } ?? false
    }

    private static let numberWords: Set<String> = [
        "no", "nr", "num", "number", "numero", "número", "nummer", "n", "nº",
    ]

    /// How the extension is called, in lower case.
    private static let extensionWords: Set<String> = [
        // English
        "x", "х", "xt", "xtn", "ex", "ext", "extn", "exten", "extension", "extensions", "local", "loc",
        "locl",
        // German: Apparat, Durchwahl, Nebenstelle, Klappe
        "app", "apparat", "durchwahl", "dw", "nst", "nebenstelle", "hausapparat", "klappe", "kl",
        // Romance
        "poste", "interne", "int", "interno", "intern", "extensión", "extensao", "extensão", "anexo", "anx",
        "ramal",
        "interior", "derivado",
        // Dutch, Scandinavian, Finnish
        "toestel", "tst", "anknytning", "ankn", "lokal", "lokalnr", "alanumero", "alanro",
        // Slavic, Hungarian, Greek, Turkish
        "wewn", "wew", "wewnętrzny", "wewnetrzny", "linka", "klapka", "mellék", "mellek", "доб", "добавочный",
        "вн",
        "внутр", "внутренний", "дод", "вътр", "εσωτ", "εσωτερικό", "dahili", "dâhilî",
        // Asian
        "内線", "內線", "内线", "分机", "分機", "转", "轉", "내선", "ต่อ", "lẻ", "שלוחה", "תוסף", "تحويلة", "داخلی", "داخلي",
    ]
}

/// Drops blanks, and punctuation that says nothing at the end.
private func trimEnd(_ tokens: inout [PhoneToken]) {
    while let last = tokens.last, last.isBlank || last.isMark("\n.,;:'\"->=/") { tokens.removeLast() }
}
