/// Something that is not as it should be, and what to type about it.
package struct Finding: Hashable, Sendable {
    package enum Level: String, Sendable {
        /// It does not work like this.
        case error
        /// It works, but not as well as it could, or not for long.
        case warning
    }

    package let level: Level
    /// A sentence that names the file, book or peer; files with line and column where there are some.
    package let what: String
    /// A command that mends it, or shows what to mend; not empty.
    package let mend: String
    /// Where it is typed, or what it does; may be empty.
    package let hint: String

    package init(_ level: Level, _ what: String, mend: String, hint: String = "") {
        precondition(!mend.isEmpty, "a finding says what to do")
        self.level = level
        self.what = what
        self.mend = mend
        self.hint = hint
    }

    /// An editor at a line of a file; vi, nano and emacs understand it.
    package static func edit(_ file: String, line: Int? = nil) -> String {
        "${EDITOR:-vi} " + (line.map { "+\($0) " } ?? "") + ShellWord.quoted(file)
    }
}
