import Config
import Daemon
import Doctor
import Glibc
import PhoneNumbers

/// Says a sentence and ends with exit code 1, or another.
func fail(_ message: String, code: Int32 = 1) -> Never {
    let bytes = Array((message + "\n").utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
    exit(code)
}

let usage = "usage: contactsyncd " + ProgramOption.daemon.map { "[\($0.words)]" }.joined(separator: " ")
var file: String?
var isCheck = false
var arguments = CommandLine.arguments.dropFirst()
while let word = arguments.popFirst() {
    switch word {
    case "--config":
        guard let path = arguments.popFirst() else { fail("--config needs a file\n" + usage, code: 2) }
        file = path
    case "--check": isCheck = true
    case "--version":
        print("contactsyncd \(Product.version)")
        exit(0)
    case "--help", "-h":
        let width = ProgramOption.daemon.map(\.words.count).max() ?? 0
        let lines = ProgramOption.daemon.map { option in
            "  \(option.words)\(String(repeating: " ", count: width - option.words.count))  \(option.about)"
        }
        print(([usage, ""] + lines).joined(separator: "\n"))
        exit(0)
    default: fail("contactsyncd: \(word) is not known\n" + usage, code: 2)
    }
}

let environment = Surroundings.environment()
do {
    let path = try Configuration.find(explicit: file, environment: environment)
    let configuration = try Configuration.read(path: path, environment: environment)
    if isCheck {
        let findings = Doctor.examine(
            configuration,
            userID: environment.userID,
            isRegion: PhoneNumbers.isRegion
        )
        for finding in findings { print("\(finding.what)\n  $ \(finding.mend)") }
        exit(findings.isEmpty ? 0 : 1)
    }
    try Daemon.run(configuration, environment: environment)
} catch let error as ConfigErrors {
    fail(error.description)
} catch let error as StartError {
    fail("contactsyncd: " + error.message)
} catch {
    fail("contactsyncd: \(error)")
}
