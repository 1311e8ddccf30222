/// Collects what is wrong with one file while reading goes on.
struct ProblemList {
    let file: String
    private var problems: [ConfigProblem] = []

    init(file: String) { self.file = file }

    var isEmpty: Bool { problems.isEmpty }

    /// In the order of the file.
    var sorted: [ConfigProblem] {
        problems.sorted {
            ($0.line ?? 0, $0.column ?? 0, $0.message) < ($1.line ?? 0, $1.column ?? 0, $1.message)
        }
    }

    mutating func add(_ value: TOMLValue, _ message: String) {
        problems.append(ConfigProblem(file: file, line: value.line, column: value.column, message: message))
    }
}
