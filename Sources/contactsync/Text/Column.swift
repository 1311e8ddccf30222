/// One column of a table.
struct Column {
    let title: String
    /// Numbers stand to the right.
    var isNumber = false
    /// Columns of the terminal; what is longer is cut. Nothing that is copied into a command has a limit.
    var limit: Int?

    /// Text of any length.
    static func text(_ title: String) -> Column { Column(title: title) }

    /// Text for reading only.
    static func short(_ title: String, _ limit: Int = 40) -> Column { Column(title: title, limit: limit) }

    static func number(_ title: String) -> Column { Column(title: title, isNumber: true) }
}
