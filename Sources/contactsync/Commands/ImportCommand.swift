import Config
import JSON

extension Command {
    static let `import` = Command(
        name: "import",
        arguments: [.book, Argument(name: "FILE", parameter: "files", kind: .many)],
        options: [
            Option(name: "dry-run", summary: "changes nothing, says what would be added, merged and skipped")
        ],
        summary:
            "adds the contacts of vCard or JSContact files, - is standard input; --dry-run only says what would be",
        action: .local(importFiles)
    )

    private static func importFiles(
        _ invocation: Invocation,
        _ surroundings: Surroundings
    ) throws(Failure) -> ExitCode {
        var parameters = invocation.parameters
        let names = parameters["files"]?.array?.compactMap(\.string) ?? []
        parameters["files"] = nil
        let connection = try DaemonConnection.open(path: surroundings.configuration(of: invocation).socket)
        var files: [ImportFile] = []
        for name in names { files.append(try ImportFile.read(name)) }
        let showsProgress = surroundings.terminal.showsWaiting && !invocation.json
        var run = ImportRun(
            connection,
            parameters,
            total: files.reduce(0) { $0 + $1.items.count },
            progress: showsProgress
                ? Progress(
                    "import",
                    parameters["book"]?.string ?? "",
                    colour: surroundings.terminal.hasColour
                ) : nil
        )
        for file in files { try run.take(file) }
        try run.finish()
        let tally = run.tally
        if invocation.json {
            Output.result(tally.json, json: true) { _, _ in }
        } else {
            var page = surroundings.page(for: invocation)
            tally.show(&page, isRehearsal: parameters["dry-run"] != nil)
            Output.text(page.text)
        }
        return tally.skipped.isEmpty ? .done : .no
    }
}
