import Foundation
import Synchronization

/// A command in a terminal of its own, made by script(1).
final class Terminal: Sendable {
    private let process: Process
    private let input = Pipe()
    private let shown = Mutex("")

    init(_ machine: Machine, _ words: String) throws {
        guard let script = Executables.tool("script") else { throw Failure("script is not installed") }
        process = Process()
        process.executableURL = URL(filePath: script)
        let program = try Executables.path("contactsync")
        process.arguments = ["-qefc", "\(program) --config \(machine.configuration) \(words)", "/dev/null"]
        process.environment = try machine.environment(forDaemon: false)
        process.standardInput = input
        let output = Pipe()
        process.standardOutput = output
        output.fileHandleForReading.readabilityHandler = { [weak self] handle in
            let text = String(decoding: handle.availableData, as: UTF8.self)
            self?.shown.withLock { $0 += text }
        }
        let process = process
        try Spawner.shared.run { try process.run() }
    }

    deinit { if process.isRunning { process.terminate() } }

    /// Waits until a text is shown.
    func expect(_ text: String) throws {
        try eventually("the terminal shows \(text)") {
            let shown = shown.withLock { $0 }
            return shown.contains(text) ? nil : shown
        }
    }

    func type(_ text: String) { input.fileHandleForWriting.write(Data(text.utf8)) }
}
