import Glibc

extension Configuration {
    /// Bytes of a configuration: thousands of peers fit, a file named by mistake does not.
    static let fileLimit = 1 << 20

    /// Reads a file and checks all that can be known without looking at books and peers.
    ///
    /// Throws every problem at once. `name`, `state` and `socket` that are missing are the environment's.
    package static func read(
        path: String,
        environment: ConfigEnvironment
    ) throws(ConfigErrors) -> Configuration {
        try read(text: bytes(of: path), file: path, environment: environment)
    }

    /// The same for a text that was read before; `file` is named in messages.
    package static func read(
        text: [UInt8],
        file: String,
        environment: ConfigEnvironment
    ) throws(ConfigErrors) -> Configuration {
        let table = try parse(text, file: file)
        var reader = ConfigurationReader(file: file, environment: environment)
        let configuration = reader.read(table)
        guard reader.problems.isEmpty else { throw ConfigErrors(reader.problems.sorted) }
        return configuration
    }

    /// Reads only where the state directory is.
    ///
    /// The device ID lies there, and is asked for while the peers' entries are still half written: problems
    /// elsewhere do not count.
    package static func readState(
        path: String,
        environment: ConfigEnvironment
    ) throws(ConfigErrors) -> String {
        let table = try parse(bytes(of: path), file: path)
        var reader = ConfigurationReader(file: path, environment: environment)
        let state = reader.readState(table)
        guard reader.problems.isEmpty else { throw ConfigErrors(reader.problems.sorted) }
        return state
    }

    private static func parse(_ text: [UInt8], file: String) throws(ConfigErrors) -> TOMLValue {
        do {
            return try TOMLDocument.read(text)
        } catch {
            let message = "this is no TOML: \(error.reason); correct this line"
            let problem = ConfigProblem(file: file, line: error.line, column: error.column, message: message)
            throw ConfigErrors([problem])
        }
    }

    private static func bytes(of path: String) throws(ConfigErrors) -> [UInt8] {
        func problem(_ message: String) -> ConfigErrors {
            ConfigErrors([ConfigProblem(file: path, message: message)])
        }
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw problem("it cannot be opened (\(reason())); check its path and its mode")
        }
        defer { _ = close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= fileLimit {
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw problem("it cannot be read (\(reason())); check what it is") }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
        throw problem("it is larger than \(fileLimit >> 20) MiB; a configuration never is, name another file")
    }

    private static func reason() -> String {
        unsafe String(cString: strerror(errno))
    }
}
