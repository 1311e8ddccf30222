import Glibc

/// The command that asks and steers the daemon.
@main struct ContactSync {
    static func main() {
        let surroundings = Surroundings.current
        let code: ExitCode
        do throws(Failure) {
            code = try run(Array(CommandLine.arguments.dropFirst()), surroundings)
        } catch {
            Output.error("contactsync: \(Escaping.escaped(error.message, keepingLines: true))\n")
            code = error.exit
        }
        exit(code.rawValue)
    }

    /// Does what a command line says; `arguments` without the name of the program.
    static func run(_ arguments: [String], _ surroundings: Surroundings) throws(Failure) -> ExitCode {
        switch try Invocation.parse(arguments) {
        case .help(nil): Output.text(Usage.all)
        case .help(let command?): Output.text(Usage.of(command))
        case .version: Output.text(Usage.version)
        case .run(let invocation):
            switch invocation.command.action {
            case .local(let body): return try body(invocation, surroundings)
            case .ask(let show, let judge):
                let result = try surroundings.ask(invocation)
                Output.result(result, json: invocation.json, on: surroundings.page(for: invocation), show)
                return judge(result)
            }
        }
        return .done
    }
}
