import Config
import JSON
import TLS

extension Command {
    static let id = Command(
        name: "id",
        summary: "prints this machine's device ID; makes the key if there is none",
        action: .local(printID)
    )

    private static func printID(
        _ invocation: Invocation,
        _ surroundings: Surroundings
    ) throws(Failure) -> ExitCode {
        // Peers are told the ID before there is a configuration that names them, so none is needed.
        let configuration =
            invocation.config == nil && !surroundings.hasConfiguration
            ? Configuration.defaults(surroundings.environment)
            : try surroundings.configuration(of: invocation)
        let device: String
        do throws(TLSError) {
            device = try Identity.load(directory: configuration.state).deviceID
        } catch {
            throw Failure(
                .no,
                "the key in \(configuration.state) cannot be used: \(error.reason). Check its mode"
            )
        }
        Output.result(["device": .string(device)], json: invocation.json) { $1.line($0.text("device")) }
        return .done
    }
}
