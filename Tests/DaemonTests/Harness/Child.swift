import Dispatch
import Foundation
import Synchronization

/// A process of our own: it ends with the tests, however they end.
final class Child: Sendable {
    let process: Process
    private let ended: DispatchSemaphore

    /// Starts a program whose output goes to files. Under `setpriv` the kernel kills it should the tests die.
    init(
        _ program: String,
        _ arguments: [String],
        environment: [String: String],
        directory: String,
        output: String,
        errors: String,
        withoutRightToPassModes: Bool = false,
        below wrapper: [String] = []
    ) throws {
        var line = [program] + arguments
        if let setpriv = Executables.tool("setpriv") {
            var own = [setpriv, "--pdeathsig", "KILL"]
            if withoutRightToPassModes && getuid() == 0 {
                let rights = "-dac_override,-dac_read_search"
                own += ["--inh-caps", rights, "--bounding-set", rights]
            }
            line = own + line
        }
        line = wrapper + line
        let process = Process()
        process.executableURL = URL(filePath: line[0])
        process.arguments = Array(line.dropFirst())
        process.environment = environment
        process.currentDirectoryURL = URL(filePath: directory)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try Child.appending(output)
        process.standardError = output == errors ? process.standardOutput : try Child.appending(errors)
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        self.process = process
        self.ended = ended
        try Spawner.shared.run { try process.run() }
    }

    /// The status it ended with (128 + signal where a signal ended it), or nil while it runs.
    var exit: Int32? {
        guard !process.isRunning else { return nil }
        return process.terminationReason == .uncaughtSignal
            ? 128 + process.terminationStatus : process.terminationStatus
    }

    /// Sends a signal to this process and no other.
    func signal(_ number: Int32) {
        if process.isRunning { kill(process.processIdentifier, number) }
    }

    /// Waits for the end; nil if it does not come in time.
    func wait(_ seconds: Double) -> Int32? {
        if ended.wait(timeout: .now() + seconds) == .success { ended.signal() }
        return exit
    }

    private static func appending(_ path: String) throws -> FileHandle {
        if !FileManager.default.fileExists(atPath: path) {
            guard FileManager.default.createFile(atPath: path, contents: nil) else {
                throw Failure("cannot make \(path)")
            }
        }
        guard let handle = FileHandle(forWritingAtPath: path) else { throw Failure("cannot write \(path)") }
        try handle.seekToEnd()
        return handle
    }
}
