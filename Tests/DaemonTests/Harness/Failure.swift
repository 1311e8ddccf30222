/// What a test found wrong, in one sentence that shows the smallest useful difference.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// A request that the daemon answered with an error object.
struct Refusal: Error, CustomStringConvertible {
    let method: String
    let code: Int64?
    let message: String
    /// `data.exit`: what the command line exits with.
    let exit: Int64?

    var description: String { "`\(method)` was answered with error \(code ?? 0): \(message)" }
}

extension String {
    /// At most `limit` characters, with a mark where something was left out.
    func shortened(to limit: Int) -> String { count <= limit ? self : prefix(limit - 1) + "…" }
}
