import Config

/// A manual page in the man macros (man(7)), built part by part.
struct ManPage {
    private(set) var text: String

    init(_ name: String, section: Int, about: String) {
        text = """
            .\\" Made from the tables of commands and keys in the sources; changes here are lost.
            .TH \(name.uppercased()) \(section) \(Product.date) "contactsync \(Product.version)" "contactsync"
            .nh
            .ad l
            .SH NAME
            \(Self.escaped(name)) \\- \(Self.escaped(about))

            """
    }

    mutating func section(_ title: String) { text += ".SH \(title)\n" }

    /// A paragraph.
    mutating func paragraph(_ words: String) { text += ".PP\n\(Self.escaped(words))\n" }

    /// The first text of a section, without space above.
    mutating func line(_ words: String) { text += Self.escaped(words) + "\n" }

    /// A line of a synopsis or an example, as it is typed.
    mutating func typed(_ lines: [String]) {
        text += ".PP\n.RS 4\n.nf\n" + lines.map { Self.escaped($0) + "\n" }.joined() + ".fi\n.RE\n"
    }

    /// A term and what it means.
    mutating func item(_ term: String, _ words: String) {
        text += ".TP\n.B \(Self.escaped(term, inMacro: true))\n\(Self.escaped(words))\n"
    }

    /// Items below the item before.
    mutating func items(_ items: [(String, String)]) {
        guard !items.isEmpty else { return }
        text += ".RS\n"
        for (term, words) in items { item(term, words) }
        text += ".RE\n"
    }

    /// Text that the formatter takes for nothing but text (groff_man(7), "Portability").
    static func escaped(_ words: String, inMacro: Bool = false) -> String {
        var out = ""
        for character in words {
            switch character {
            case "\\": out += "\\e"
            case "-": out += "\\-"
            case "…": out += "..."
            case "\"" where inMacro: out += "\\(dq"
            default: out.append(character)
            }
        }
        return out.hasPrefix(".") || out.hasPrefix("'") ? "\\&" + out : out
    }
}
