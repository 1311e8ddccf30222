/// Words around a number that are not part of it: "Tel.", "(privat)".
enum PhoneRemarks {
    /// Drops groups in parentheses or brackets that hold words only.
    static func dropGroups(_ tokens: inout [PhoneToken]) {
        var at = 0
        while let open = tokens[at...].firstIndex(where: { $0.isMark("([") }) {
            at = open + 1
            guard let close = tokens[at...].firstIndex(where: { $0.isMark(")]") }) else { return }
            let group = tokens[at..<close]
            let isRemark =
                group.contains { $0.word != nil } && group.allDigits.isEmpty
                && !group.contains { $0.isMark("+*#(") || PhoneTail.isExtensionWord($0) }
            guard isRemark else { continue }
            tokens.replaceSubrange(open...close, with: [.blank])
        }
    }

    /// Drops words and punctuation before the number; false if what comes first is no number.
    static func dropBefore(_ tokens: inout [PhoneToken]) -> Bool {
        let start = tokens.firstIndex { $0.digits != nil || $0.isMark("+([*#") } ?? tokens.endIndex
        let before = tokens[..<start]
        tokens.removeFirst(start)
        guard let first = tokens.first, !first.isMark("*#") else { return false }
        // `wa.me/49…` is an address, "Tel/Fax 030 …" is not.
        if before.last?.isMark("/") ?? false { return false }
        // "ext. 45" has no number; "x+y" and the like are no remarks.
        return before.allSatisfy { token in
            if token.word != nil { return !PhoneTail.isExtensionWord(token) }
            return token.isBlank || token.isMark("\n.:;,-'\"</")
        }
    }

    /// Words that say what a number is for; they are never dialled, also in capitals.
    static let labels: Set<String> = [
        "home", "work", "mobile", "cell", "cellular", "phone", "tel", "fax", "office", "main", "other",
        "private",
        "direct", "pager", "car", "voice", "mom", "dad", "old", "new", "free", "mobil", "handy", "privat",
        "arbeit",
        "büro", "buero", "zuhause", "dienst", "geschäft", "zentrale", "casa", "trabajo", "movil", "móvil",
        "oficina",
        "domicile", "bureau", "travail", "portable", "ufficio", "lavoro", "cellulare", "thuis", "werk",
        "mobiel",
        "dom", "praca", "jobb", "hem", "whatsapp", "signal", "telegram", "viber", "sms", "or", "and", "oder",
        "und",
    ]
}
