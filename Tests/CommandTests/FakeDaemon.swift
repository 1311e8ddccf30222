import Glibc
import JSON
import Testing

/// A socket that answers each connection with one canned line, and keeps what it was asked.
///
/// It runs on a thread of its own, as the command line blocks.
final class FakeDaemon {
    let directory: String
    private let listener: CInt
    private var thread = pthread_t()

    /// What a thread is given: where to accept, what to say, where to put what it heard.
    private final class Script {
        let listener: CInt
        let answers: [String]
        var heard: [JSONValue] = []

        init(_ listener: CInt, _ answers: [String]) { (self.listener, self.answers) = (listener, answers) }
    }

    private let script: Script

    /// Answers one connection per element; an empty one closes without an answer.
    init(answers: [String]) throws {
        var template = Array("/tmp/contactsync-cli-XXXXXX\0".utf8CString)
        let directory = try #require(unsafe mkdtemp(&template).map { unsafe String(cString: $0) })
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) {
            unsafe $0.copyBytes(from: "\(directory)/s".utf8)
        }
        let bound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0 && listen(listener, 8) == 0)
        self.directory = directory
        self.listener = listener
        script = Script(listener, answers)
        let descriptor = unsafe open("\(directory)/config.toml", O_WRONLY | O_CREAT, 0o600)
        let text = Array("socket = \"\(directory)/s\"\nstate = \"\(directory)/state\"\n".utf8)
        try #require(unsafe write(descriptor, text, text.count) == text.count)
        close(descriptor)
        // The thread's hold ends in its last line.
        let held = unsafe Unmanaged.passRetained(script).toOpaque()
        let made = unsafe pthread_create(
            &thread,
            nil,
            { pointer in
                guard let pointer = unsafe pointer else { return nil }
                unsafe FakeDaemon.serve(Unmanaged<Script>.fromOpaque(pointer).takeRetainedValue())
                return nil
            },
            held
        )
        try #require(made == 0)
    }

    /// Ends the thread and says what was asked.
    func finish() -> [JSONValue] {
        pthread_join(thread, nil)
        close(listener)
        for name in ["s", "config.toml"] { unsafe unlink("\(directory)/\(name)") }
        unsafe rmdir(directory)
        return script.heard
    }

    private static func serve(_ script: Script) {
        for answer in script.answers {
            let peer = accept(script.listener, nil, nil)
            defer { close(peer) }
            var line: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 4096)
            while line.last != 0x0A {
                let count = unsafe recv(peer, &buffer, buffer.count, 0)
                guard count > 0 else { break }
                line += buffer[..<count]
            }
            if let asked = try? JSONReader.value(Array(line.dropLast())) { script.heard.append(asked) }
            // In two pieces, as a stream may deliver it.
            let bytes = Array(answer.utf8)
            for piece in [bytes.prefix(bytes.count / 2), bytes.suffix(from: bytes.count / 2)] {
                let piece = Array(piece)
                _ = unsafe send(peer, piece, piece.count, Int32(MSG_NOSIGNAL))
            }
        }
    }
}
