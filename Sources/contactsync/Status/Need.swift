/// Something that waits for a person: what it is, and what to type.
struct Need {
    /// The most urgent first.
    enum Urgency: Int, Comparable {
        /// Nothing can be stored, so nothing goes on.
        case stopped
        /// Deletions wait.
        case held
        /// Files cannot be written, or changes are not seen at once.
        case directory
        /// A peer does not get or give what it should.
        case peer
        /// A file cannot be read.
        case file
        /// Two values for one field.
        case conflict
        /// A program that is run for events fails.
        case hook
        /// Good to know; waits for nobody.
        case note

        static func < (a: Urgency, b: Urgency) -> Bool { a.rawValue < b.rawValue }
    }

    /// One thing to type, and what it does.
    struct Step: Equatable {
        let command: String
        var effect = ""

        /// A line, with the effect behind a column of this width.
        func show(_ page: inout Page, width: Int) {
            let blanks = String(repeating: " ", count: max(0, width - DisplayWidth.of(command)) + 3)
            page.line(pieces: [
                .faint("  $ "), .command(command), .faint(effect.isEmpty ? "" : blanks + effect),
            ])
        }
    }

    let urgency: Urgency
    /// A word or two, such as `held`.
    let label: String
    /// What happened, naming the book, peer or file.
    let sentence: String
    var details: [String] = []
    var steps: [Step] = []
    /// The name of the peer that it is about, if it is about one.
    var peer: String?

    /// Whether somebody has to do something.
    var isOpen: Bool { urgency != .note }

    func show(_ page: inout Page) {
        let look: Look =
            switch urgency {
            case .stopped, .held, .directory: .bad
            case .peer, .file, .conflict, .hook: .warning
            case .note: .faint
            }
        page.line(pieces: [Piece(text: label.uppercased(), look: look), Piece(text: "  " + sentence)])
        for detail in details { page.line("  " + detail) }
        let width = steps.map { DisplayWidth.of($0.command) }.max() ?? 0
        for step in steps { step.show(&page, width: width) }
    }
}
