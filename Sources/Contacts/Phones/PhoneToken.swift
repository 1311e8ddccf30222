/// A piece of a phone text in plain characters.
enum PhoneToken: Hashable, Sendable {
    /// A run of ASCII digits.
    case digits(String)
    /// A run of letters of any script.
    case word(String)
    /// A run of blanks.
    case blank
    /// Any other character; a line end is one.
    case mark(Unicode.Scalar)

    static func split(_ text: String) -> [PhoneToken] {
        var tokens: [PhoneToken] = []
        for scalar in text.unicodeScalars {
            switch (scalar, tokens.last) {
            case ("0"..."9", .digits(let run)?):
                tokens[tokens.count - 1] = .digits(run + String(scalar))
            case ("0"..."9", _):
                tokens.append(.digits(String(scalar)))
            case (" ", .blank?):
                break
            case (" ", _):
                tokens.append(.blank)
            case (_, .word(let run)?) where scalar.isPartOfWord:
                tokens[tokens.count - 1] = .word(run + String(scalar))
            case (_, _) where scalar.isPartOfWord:
                tokens.append(.word(String(scalar)))
            default:
                tokens.append(.mark(scalar))
            }
        }
        return tokens
    }

    var digits: String? { if case .digits(let run) = self { run } else { nil } }
    var word: String? { if case .word(let run) = self { run } else { nil } }
    var mark: Unicode.Scalar? { if case .mark(let mark) = self { mark } else { nil } }
    var isBlank: Bool { self == .blank }

    func isMark(_ marks: String) -> Bool { mark.map(marks.unicodeScalars.contains) ?? false }
}

extension Unicode.Scalar {
    fileprivate var isPartOfWord: Bool {
        properties.isAlphabetic
            || [.nonspacingMark, .spacingMark, .enclosingMark].contains(properties.generalCategory)
    }
}

extension Collection where Element == PhoneToken {
    /// All digits, one after the other.
    var allDigits: String { compactMap(\.digits).joined() }
}
