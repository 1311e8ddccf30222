/// A piece of a line, with how it stands out.
struct Piece {
    let text: String
    var look = Look.plain

    static func strong(_ text: String) -> Piece { Piece(text: text, look: .strong) }
    static func faint(_ text: String) -> Piece { Piece(text: text, look: .faint) }
    static func good(_ text: String) -> Piece { Piece(text: text, look: .good) }
    static func warning(_ text: String) -> Piece { Piece(text: text, look: .warning) }
    static func bad(_ text: String) -> Piece { Piece(text: text, look: .bad) }
    static func command(_ text: String) -> Piece { Piece(text: text, look: .command) }
}

extension Piece: ExpressibleByStringInterpolation {
    init(stringLiteral value: String) { text = value }
}
