/// Everything that is wrong with a configuration, found in one reading, in the order of the file.
package struct ConfigErrors: Error, Hashable, Sendable {
    /// Never empty.
    package let problems: [ConfigProblem]

    package init(_ problems: [ConfigProblem]) {
        precondition(!problems.isEmpty, "an error has at least one problem")
        self.problems = problems
    }
}

extension ConfigErrors: CustomStringConvertible {
    /// A line a problem.
    package var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}
