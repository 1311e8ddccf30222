import Foundation
import JSON

/// What differs between machines of a world.
struct MachineOptions {
    /// The region of the book; nil for none.
    var region: String? = "GB"
    /// `deduplicate` of the book; nil for the default.
    var policy: String?
    /// Whether the wall clock can be set (the shifting library must be installed).
    var hasOwnClock = false
    /// Seconds that pass for the daemon, its timers included, in one of ours (the same library must be installed).
    var clockRate = 1
    /// As root: without the right to read past file modes.
    var obeysModes = false
    /// More of the daemon's environment.
    var daemonEnvironment: [String: String] = [:]
    /// Whether its daemon has mounts of its own.
    var hasOwnMounts = false
    /// What starts its daemon, with the daemon's own line behind it; it goes on as the same process.
    var launcher: [String] = []
    /// More lines of the book's table, as TOML.
    var bookLines: [String] = []
    /// More lines at the configuration's begin, as TOML.
    var firstLines: [String] = []
    /// More lines at the configuration's end, as TOML.
    var lastLines: [String] = []
}

/// One daemon with a home, a state, a socket and a book of its own, driven from outside only.
final class Machine {
    /// The one book that all machines share.
    static let book = "personal"

    let name: String
    let home: String
    let port: UInt16
    /// What is written into the configuration at the next `writeConfiguration`.
    var options: MachineOptions
    var peers: [Peer] = []
    /// Whether the proxies to it are open.
    var isOnline = true
    private(set) var daemon: Child?
    /// How the daemon ended that ended last by itself.
    private(set) var lastExit: Int32?
    private var client: LineClient?
    private var knownDevice: String?

    /// A peer as the configuration lists it.
    struct Peer {
        var name: String
        var id: String
        /// nil: it is never dialled.
        var port: UInt16?
        /// nil: the default.
        var access: String?
    }

    init(name: String, below root: String, options: MachineOptions) throws {
        self.name = name
        self.options = options
        home = root + "/" + name
        port = try Ports.free()
        for directory in [directory, runtime, stage, home + "/home", home + "/elsewhere"] {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: runtime)
        if options.hasOwnClock { try setClock("+0") }
        try writeConfiguration()
    }

    /// The directory of its book, as its configuration will say at the next `writeConfiguration`.
    lazy var directory = home + "/contacts"
    var state: String { home + "/state" }
    var runtime: String { home + "/run" }
    /// On the same file system as the book, for files that appear there at once.
    var stage: String { home + "/stage" }
    var socket: String { runtime + "/s.sock" }
    var configuration: String { home + "/config.toml" }
    var log: String { home + "/log" }
    private var clock: String { home + "/clock" }

    var isRunning: Bool { daemon?.exit == nil && daemon != nil }

    /// Starts the daemon and waits until it answers.
    func start() throws {
        precondition(daemon == nil, "\(name) runs already")
        daemon = try launch()
        try eventually("\(name) answers after its start", within: Patience.start) {
            try checkAlive()
            return (try? status()) == nil ? logEnd : nil
        }
    }

    /// Starts one more daemon process on the same configuration and waits for nothing.
    func launch(_ arguments: [String] = [], log: String? = nil) throws -> Child {
        try Child(
            Executables.path("contactsyncd"),
            ["--config", configuration] + arguments,
            environment: environment(forDaemon: true),
            directory: home + "/elsewhere",
            output: log ?? self.log,
            errors: log ?? self.log,
            withoutRightToPassModes: options.obeysModes,
            below: (options.hasOwnMounts ? Executables.unshare ?? [] : []) + options.launcher
        )
    }

    /// Ends the daemon by SIGTERM; it must exit 0.
    func stop() throws {
        guard let daemon else { return }
        try checkAlive()
        forget()
        daemon.signal(SIGTERM)
        guard let exit = daemon.wait(Patience.stop) else {
            daemon.signal(SIGKILL)
            throw Failure("\(name): SIGTERM did not end the daemon within \(Int(Patience.stop)) s")
        }
        guard exit == 0 else { throw Failure("\(name): the daemon ended with \(exit) on SIGTERM: \(logEnd)") }
    }

    /// Ends the daemon as a power cut does.
    func kill9() {
        daemon?.signal(SIGKILL)
        _ = daemon?.wait(Patience.stop)
        forget()
    }

    /// Halts the daemon, as a machine that hangs would, and lets it go on.
    func halt() { daemon?.signal(SIGSTOP) }
    func goOn() { daemon?.signal(SIGCONT) }

    /// Tells the daemon to read its configuration again.
    func hangUp() { daemon?.signal(SIGHUP) }

    func restart() throws {
        try stop()
        try start()
    }

    /// Throws if the daemon ended without being asked to.
    func checkAlive() throws {
        guard let exit = daemon?.exit else { return }
        lastExit = exit
        forget()
        throw Failure("\(name): the daemon ended by itself (\(exit)): \(logEnd)")
    }

    /// The last line of its log.
    var logEnd: String {
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").last.map { String($0).shortened(to: 200) } ?? "(no log)"
    }

    /// The machine's device ID, as `contactsync id` prints it.
    func device() throws -> String {
        if let knownDevice { return knownDevice }
        let answer = try cli("id")
        guard answer.exit == 0, let id = answer.out.split(whereSeparator: \.isWhitespace).last else {
            throw Failure("\(name) has no device ID: \(answer)")
        }
        knownDevice = String(id)
        return String(id)
    }

    /// The connection that all questions use; a new one after a restart.
    func connection() throws -> LineClient {
        if let client { return client }
        let new = try LineClient(path: socket)
        client = new
        return new
    }

    /// Forgets the connection, so that the next question opens one.
    func dropConnection() { client = nil }

    /// Sets the wall clock: an offset as `+365d`, or a day as `2019-01-01`.
    func setClock(_ text: String) throws {
        let line = text.hasPrefix("+") || text.hasPrefix("-") ? text : "@\(text) 00:00:10"
        try Data((line + "\n").utf8).write(to: URL(filePath: clock), options: .atomic)
    }

    /// The surroundings of its processes: its own home, and a clock of its own where it has one.
    func environment(forDaemon: Bool) throws -> [String: String] {
        var all = ProcessInfo.processInfo.environment.filter { key, _ in
            !["XDG_", "NOTIFY_", "LISTEN_", "INVOCATION_", "JOURNAL_"].contains { key.hasPrefix($0) }
        }
        all["HOME"] = home + "/home"
        all["XDG_RUNTIME_DIR"] = runtime
        all["LC_ALL"] = "C.UTF-8"
        if forDaemon { all.merge(options.daemonEnvironment) { $1 } }
        guard forDaemon, options.hasOwnClock || options.clockRate > 1 else { return all }
        guard let library = Executables.clockShifter else {
            throw Failure("no library to shift the clock with")
        }
        all["LD_PRELOAD"] = library
        if options.clockRate > 1 {
            all["FAKETIME"] = "+0 x\(options.clockRate)"
            for key in ["FAKETIME_NO_CACHE", "NO_FAKE_STAT", "FAKETIME_DONT_RESET"] { all[key] = "1" }
            return all
        }
        all["FAKETIME_TIMESTAMP_FILE"] = clock
        // Read at each call, and the wall clock only: timers and file times stay true.
        for key in [
            "FAKETIME_NO_CACHE", "FAKETIME_DONT_FAKE_MONOTONIC", "DONT_FAKE_MONOTONIC", "NO_FAKE_STAT",
            "FAKETIME_DONT_RESET",
        ] {
            all[key] = "1"
        }
        return all
    }

    private func forget() {
        daemon = nil
        client = nil
    }
}
