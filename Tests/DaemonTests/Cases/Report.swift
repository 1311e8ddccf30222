/// What a line of `reported` asks the status to say.
enum Report {
    /// The file is set aside, with a reason.
    case file(String)
    /// The file is set aside while it cannot be read.
    case unreadable(String)
    /// Exactly these items of the file are set aside.
    case items(String, Set<Int>)
    /// The files are listed under clashes, with one uid.
    case clash(Set<String>)
    /// The book is held, because its directory is not the one we know.
    case directoryGone

    init(_ text: String) throws {
        if let match = text.wholeMatch(of: /\S+\.\w+/) {
            self = .file(String(match.0))
        } else if let match = text.wholeMatch(of: /(\S+\.\w+) while (?:empty|unreadable)/) {
            self = .unreadable(String(match.1))
        } else if let match = text.wholeMatch(of: /(\S+\.\w+): items (\d+) to (\d+) \(counting from 0\)/),
            let first = Int(match.2), let last = Int(match.3)
        {
            self = .items(String(match.1), Set(first...last))
        } else if let match = text.wholeMatch(of: /(\S+\.\w+) and (\S+\.\w+) have the same uid/) {
            self = .clash([String(match.1), String(match.2)])
        } else if text.wholeMatch(of: /the watched folder is .+/) != nil {
            self = .directoryGone
        } else {
            throw Failure("`reported` cannot be read: \(text)")
        }
    }
}
