/// One thing that is wrong with a configuration, for the person who can put it right.
package struct ConfigProblem: Error, Hashable, Sendable {
    /// The file as it was asked for.
    package let file: String
    /// Counted from 1; nil if the problem has no place, as with a file that cannot be read.
    package let line: Int?
    /// Counted from 1, in characters.
    package let column: Int?
    /// A sentence that names the thing and the next step.
    package let message: String

    package init(file: String, line: Int? = nil, column: Int? = nil, message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
    }
}

extension ConfigProblem: CustomStringConvertible {
    /// `file:line:column: message`, which editors and terminals know how to open.
    package var description: String {
        var place = file
        if let line { place += ":\(line)" }
        if line != nil, let column { place += ":\(column)" }
        return "\(place): \(message)"
    }
}
