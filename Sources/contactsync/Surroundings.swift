import Config
import Glibc
import Doctor
import JSON

/// What a command takes from the process it runs in.
struct Surroundings {
    let environment: ConfigEnvironment
    var terminal = Terminal.none

    /// Reads the environment, once.
    static var current: Surroundings {
        func variable(_ name: String) -> String? {
            unsafe getenv(name).map { unsafe String(cString: $0) }
        }
        var host = [CChar](repeating: 0, count: 256)  // HOST_NAME_MAX is 64
        let hasHost = unsafe gethostname(&host, host.count - 1) == 0
        let hostName = String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return Surroundings(
            environment: ConfigEnvironment(
                home: variable("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? homeOfUser() ?? "/",
                hostName: hasHost && !hostName.isEmpty ? hostName : "localhost",
                runtimeDirectory: variable("XDG_RUNTIME_DIR"),
                stateHome: variable("XDG_STATE_HOME"),
                configHome: variable("XDG_CONFIG_HOME"),
                userID: getuid()
            ),
            terminal: .current(variable)
        )
    }

    /// The configuration that counts.
    func configuration(of invocation: Invocation) throws(Failure) -> Configuration {
        do throws(ConfigErrors) {
            let file = try Configuration.find(explicit: invocation.config, environment: environment)
            return try Configuration.read(path: file, environment: environment)
        } catch {
            throw Failure(.usage, error.description)
        }
    }

    /// Where this machine's key lies.
    ///
    /// The ID is told to peers before there is a configuration that names them, so none is needed.
    func stateDirectory(of invocation: Invocation) throws(Failure) -> String {
        let found = try? Configuration.find(explicit: nil, environment: environment)
        guard let file = invocation.config ?? found else { return Configuration.defaults(environment).state }
        do throws(ConfigErrors) {
            return try Configuration.readState(path: file, environment: environment)
        } catch {
            throw Failure(.usage, error.description)
        }
    }

    /// Puts a command to the daemon and takes the result.
    func ask(_ invocation: Invocation) throws(Failure) -> JSONValue {
        let socket = try configuration(of: invocation).socket
        var connection = try DaemonConnection.open(path: socket)
        try connection.put(invocation.command.name, invocation.parameters)
        if terminal.showsWaiting, !invocation.json {
            Waiting.show(socket: socket, colour: terminal.hasColour, until: connection)
        }
        try connection.explainSilence(storing: invocation.command.patience != nil)
        return try connection.answer(to: invocation.command.name, patience: invocation.command.patience)
    }

    /// An empty page for what a command shows.
    func page(for invocation: Invocation) -> Page {
        let named = invocation.config.map { " --config " + ShellWord.quoted($0) } ?? ""
        return Page(
            isColoured: terminal.hasColour,
            program: "contactsync" + named,
            book: invocation.parameters["book"]?.string ?? ""
        )
    }

    private static func homeOfUser() -> String? {
        unsafe getpwuid(getuid()).flatMap { unsafe $0.pointee.pw_dir }.map { unsafe String(cString: $0) }
    }
}
