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
        let state = try surroundings.stateDirectory(of: invocation)
        let device: String
        do throws(TLSError) {
            device = try Identity.load(directory: state).deviceID
        } catch {
            throw Failure(
                .no,
                "the key in \(state) cannot be used: \(error.reason). Check its mode with `ls -l`"
            )
        }
        Output.result(["device": .string(device)], json: invocation.json) { $1.line($0.text("device")) }
        return .done
    }
}
