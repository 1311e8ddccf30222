import Config
import Doctor
import JSON

extension Command {
    static let doctor = Command(
        name: "doctor",
        summary:
            "looks for what is wrong on this machine and on the way to the peers, each with its mend; exit 1 if something is",
        action: .local(examine)
    )

    private static func examine(
        _ invocation: Invocation,
        _ surroundings: Surroundings
    ) throws(Failure) -> ExitCode {
        let findings: [Finding]
        do throws(ConfigErrors) {
            let environment = surroundings.environment
            let file = try Configuration.find(explicit: invocation.config, environment: environment)
            let configuration = try Configuration.read(path: file, environment: environment)
            findings = examine(configuration, surroundings.page(for: invocation).program, environment.userID)
        } catch {
            findings = Doctor.findings(error)
        }
        let result = JSONValue.array(
            findings.map {
                [
                    "level": .string($0.level.rawValue), "what": .string($0.what), "mend": .string($0.mend),
                    "hint": .string($0.hint),
                ]
            }
        )
        Output.result(result, json: invocation.json, on: surroundings.page(for: invocation), show)
        return findings.isEmpty ? .done : .no
    }

    /// The machine, and what its daemon says if it runs.
    private static func examine(_ configuration: Configuration, _ program: String, _ userID: UInt32)
        -> [Finding]
    {
        let daemon: [Finding]
        var connected: Set<String> = []
        do throws(Failure) {
            var connection = try DaemonConnection.open(path: configuration.socket)
            let status = try connection.ask("status", JSONObject(), patience: 10)
            connected = Set(
                status.list("peers").filter { $0.text("state") == "connected" }.map { $0.text("name") }
            )
            let tried = Set(configuration.peers.filter { $0.address != nil }.map(\.name))
            let open = Needs.of(status, program: program).filter { $0.isOpen && !isSeenByUs($0, tried) }
            daemon = open.map { need in
                Finding(
                    need.urgency <= .directory ? .error : .warning,
                    need.sentence,
                    mend: need.steps.first?.command ?? "\(program) status",
                    hint: need.steps.first?.effect ?? ""
                )
            }
        } catch {
            daemon = [Finding(.error, error.message, mend: "systemctl --user start contactsync")]
        }
        return Doctor.examine(configuration, userID: userID, withoutPeers: connected) + daemon
    }

    /// What the doctor finds by looking, with and without a daemon; `peers` are those that it tries to reach.
    private static func isSeenByUs(_ need: Need, _ peers: Set<String>) -> Bool {
        need.urgency == .file || need.label == "not watched"
            || need.label == "offline" && need.peer.map(peers.contains) == true
    }

    private static func show(_ findings: JSONValue, _ page: inout Page) {
        for finding in findings.array ?? [] {
            let isError = finding.text("level") == "error"
            page.line(pieces: [
                isError ? .bad("ERROR    ") : .warning("WARNING  "), Piece(text: finding.text("what")),
            ])
            Need.Step(command: finding.text("mend"), effect: finding.text("hint")).show(&page, width: 0)
        }
        if findings.array?.isEmpty == true { page.line(pieces: [.good("nothing is wrong")]) }
    }
}
