import Config
import EventLoop
import Glibc
import JSON
import QRCode
import Wire

extension Command {
    static let pair = Command(
        name: "pair",
        arguments: [Argument(name: "ADDRESS", parameter: "address", isOptional: true)],
        options: [
            Option(
                name: "book",
                kind: .texts,
                value: "BOOK",
                summary: "shares only this one; may stand there several times"
            ),
            Option(
                name: "read-only",
                summary: "the other machine gets everything, and nothing is taken from it"
            ),
            Option(name: "invite", summary: "prints an address that is good once, for ten minutes"),
            Option(name: "host", kind: .text, value: "HOST", summary: "the host in that address"),
            Option(name: "qr", summary: "draws that address"),
        ],
        summary:
            "shares books with another machine: waits for it, or dials HOST[:PORT] that waits; --invite prints an address that needs no person",
        action: .local(pairMachines)
    )

    private static func pairMachines(
        _ invocation: Invocation,
        _ surroundings: Surroundings
    ) throws(Failure) -> ExitCode {
        let address = invocation.parameters["address"]?.string
        if invocation.parameters["invite"] != nil {
            guard address == nil else {
                throw Failure(.usage, "--invite makes an address and takes none; leave \(address ?? "") out")
            }
            try invite(invocation, surroundings)
            return .done
        }
        for name in ["host", "qr"] where invocation.parameters[name] != nil {
            throw Failure(.usage, "--\(name) is for --invite; leave it out")
        }
        let isInvited = address?.hasPrefix(Invitation.scheme) ?? false
        guard isInvited || isatty(STDIN_FILENO) == 1 else {
            throw Failure(
                .usage,
                "`pair` asks whether both machines show the same digits, and there is no terminal. "
                    + "Without a person: `contactsync pair --invite` there, and `contactsync pair ADDRESS` here"
            )
        }
        let dialogue = Dialogue(toErrors: invocation.json)
        let configuration = try surroundings.configuration(of: invocation)
        var connection = try DaemonConnection.open(path: configuration.socket)
        if address == nil { try explainWaiting(&connection, configuration, dialogue) }
        var result = try connection.ask("pair", invocation.parameters, patience: nil)
        if !result.text("digits").isEmpty {
            let digits = result.text("digits")
            let isEqual = dialogue.confirms(digits)
            if isEqual { dialogue.say("waiting for the other side to confirm …") }
            var answer = JSONObject()
            answer["confirm"] = .bool(isEqual)
            answer["digits"] = .string(digits)
            result = try connection.ask("pair", answer, patience: nil)
        }
        Output.result(result, json: invocation.json) { result, page in
            let peer = result.at("paired")
            let books = peer.list("books").map(\.plain).joined(separator: ", ")
            page.line("paired with \(peer.text("name")): \(books)")
            if peer.text("access") == "read" { page.line("what it changes is refused here") }
            if peer.isTrue("readOnlyThere") { page.line("what is changed here is refused there") }
        }
        return .done
    }

    private static func explainWaiting(
        _ connection: inout DaemonConnection,
        _ configuration: Configuration,
        _ dialogue: Dialogue
    ) throws(Failure) {
        let status = try connection.ask("status", JSONObject(), patience: 120)
        guard let port = status.number("listening"), port > 0 else { return }
        var hosts = HostAddress.reachable
        if case .at(let host, _) = configuration.listen, !["::", "0.0.0.0"].contains(host) { hosts = [host] }
        let places = hosts.map { $0.contains(":") ? "[\($0)]:\(port)" : "\($0):\(port)" }
        dialogue.say("waiting for five minutes; say on the other machine")
        for place in places.isEmpty ? ["HOST:\(port)"] : places.prefix(2) {
            dialogue.say("  contactsync pair \(place)")
        }
    }

    private static func invite(_ invocation: Invocation, _ surroundings: Surroundings) throws(Failure) {
        var question = invocation
        question.parameters["qr"] = nil
        let result = try surroundings.ask(question)
        Output.result(result, json: invocation.json) { $1.line($0.text("address")) }
        guard invocation.parameters["qr"] != nil, let code = QRCode(result.text("address")) else { return }
        Dialogue(toErrors: invocation.json).draw(code)
    }
}
