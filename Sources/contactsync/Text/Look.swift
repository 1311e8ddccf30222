/// How a piece of text stands out; the words say the same without it.
enum Look: String {
    case plain = ""
    /// Headings, names.
    case strong = "1"
    /// What matters least.
    case faint = "2"
    case good = "32"
    case warning = "33"
    case bad = "1;31"
    /// What can be typed as it stands.
    case command = "36"

    /// The text with the escape sequences of ECMA-48, 8.3.117, around it.
    func around(_ text: String) -> String {
        self == .plain || text.isEmpty ? text : "\u{1B}[\(rawValue)m\(text)\u{1B}[0m"
    }
}
