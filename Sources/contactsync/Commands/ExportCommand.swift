import Config
import JSON

extension Command {
    static let export = Command(
        name: "export",
        arguments: [.book, Argument(name: "WHO", parameter: "who", kind: .words, isOptional: true)],
        options: [
            Option(
                name: "format",
                kind: .text,
                value: "vcard4|vcard3|jscontact",
                summary: "what it is written as"
            ),
            Option(
                name: "phonebook",
                kind: .text,
                value: "yealink|grandstream|cisco",
                summary: "a phonebook for phones of this make"
            ),
            Option(name: "out", kind: .text, value: "FILE", summary: "writes there, not to standard output"),
        ],
        summary: "writes a book, or one contact, as vCard, as JSContact, or as a phonebook for desk phones",
        action: .local(exportCards)
    )

    private static func exportCards(
        _ invocation: Invocation,
        _ surroundings: Surroundings
    ) throws(Failure) -> ExitCode {
        let options = invocation.parameters
        let out = options["out"]?.string
        let write = try writer(options, out)
        let (cards, total) = try cards(invocation, surroundings)
        let (text, losses) = write(cards)
        if let out { try OutputFile.write(text, to: out) }
        if invocation.json {
            var result = JSONObject()
            result["contacts"] = .number(total)
            result["file"] = out.map { .string($0) } ?? .null
            result["losses"] = .array(losses.map(\.json))
            if out == nil { result["text"] = .string(String(decoding: text, as: UTF8.self)) }
            Output.result(.object(result), json: true) { _, _ in }
            return .done
        }
        if out == nil { Output.text(String(decoding: text, as: UTF8.self)) }
        for loss in losses {
            let who = loss.name.isEmpty ? "" : loss.name + ": "
            Output.error("\(Escaping.escaped("not exported: \(who)\(loss.property): \(loss.reason)"))\n")
        }
        return .done
    }

    /// What turns the cards into the text that is asked for.
    private static func writer(_ options: JSONObject, _ out: String?) throws(Failure) -> (
        ([JSONObject]) -> (text: [UInt8], losses: [ExportLoss])
    ) {
        let (format, phonebook) = (options["format"]?.string, options["phonebook"]?.string)
        if let phonebook {
            guard format == nil else {
                throw Failure(.usage, "--format and --phonebook name two forms; leave one of them out")
            }
            guard let known = Phonebook(rawValue: phonebook.lowercased()) else {
                throw unknown("--phonebook", phonebook, Phonebook.allCases.map(\.rawValue))
            }
            return known.write
        }
        guard let format else { return ExportFormat(file: out).write }
        guard let known = ExportFormat(rawValue: format.lowercased()) else {
            throw unknown("--format", format, ExportFormat.allCases.map(\.rawValue))
        }
        return known.write
    }

    private static func unknown(_ option: String, _ word: String, _ known: [String]) -> Failure {
        Failure(.usage, "\(option) \(word) is none that is known; choose \(known.joined(separator: ", "))")
    }

    /// All cards that are asked for, portion by portion.
    private static func cards(
        _ invocation: Invocation,
        _ surroundings: Surroundings
    ) throws(Failure) -> (cards: [JSONObject], total: Int) {
        var connection = try DaemonConnection.open(path: surroundings.configuration(of: invocation).socket)
        var asked = JSONObject()
        for key in ["book", "who"] { asked[key] = invocation.parameters[key] }
        let showsProgress = surroundings.terminal.showsWaiting && !invocation.json
        var progress = Progress(
            "export",
            asked["book"]?.string ?? "",
            colour: surroundings.terminal.hasColour
        )
        var cards: [JSONObject] = []
        while true {
            let result = try connection.ask("export", asked, patience: 120)
            cards += result.list("cards").compactMap(\.object)
            if showsProgress { progress.show(done: cards.count, of: Int(result.number("count") ?? 0)) }
            guard result.object?["next"]?.string != nil else { break }
            asked["after"] = result.at("next")
        }
        if showsProgress { progress.clear() }
        return (cards, cards.count)
    }
}
