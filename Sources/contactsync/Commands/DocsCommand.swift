import Glibc
import JSON

extension Command {
    /// For `make docs`.
    static let docs = Command(
        name: "docs",
        arguments: [Argument(name: "DIRECTORY", parameter: "directory")],
        summary: "writes the manual pages and the completions into a directory",
        action: .local(writeDocs)
    )

    private static func writeDocs(
        _ invocation: Invocation,
        _ surroundings: Surroundings
    ) throws(Failure) -> ExitCode {
        let root = invocation.parameters["directory"]?.string ?? "."
        let files =
            ManPages.all.map { ("man/" + $0.name, $0.text) }
            + Completions.all.map { ("completions/" + $0.name, $0.text) }
        for (name, text) in files {
            let path = root + "/" + name
            for end in path.indices.dropFirst() where path[end] == "/" {
                unsafe mkdir(String(path[..<end]), 0o755)
            }
            let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
            guard file >= 0 else {
                throw Failure(
                    .no,
                    "\(path) cannot be written: \(unsafe String(cString: strerror(errno))); name another directory"
                )
            }
            Output.write(text, to: file)
            _ = close(file)
        }
        return .done
    }
}
