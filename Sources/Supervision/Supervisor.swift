import Glibc

/// The service manager that started this process, systemd or one that speaks its protocols; silent if there is none.
///
/// The protocols are a few environment variables, descriptors and datagrams, and covered by systemd's promise of stable
/// interfaces; sd_notify(3) asks programs to speak them by themselves rather than to load libsystemd, which brings
/// three libraries for compression into a process whose port is open.
package final class Supervisor {
    /// The variables by which a manager speaks; a program that this process starts shall not take them for its own.
    package static let variables = [
        "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES",
    ]

    /// How often it wants to hear that we are not stuck, microseconds; nil if it does not watch.
    package let watchdog: UInt64?
    /// The sockets that it opened for us.
    package let sockets: [PassedSocket]
    private let socket: DatagramSocket?

    /// Takes what was passed. To be called once: what is passed has one owner.
    ///
    /// - Parameters:
    ///   - variable: reads the environment.
    ///   - processID: of this process; what is meant for another one is left alone.
    package init(_ variable: (String) -> String?, processID: CInt) {
        socket = variable("NOTIFY_SOCKET").flatMap { DatagramSocket($0) }
        sockets = PassedSocket.all(variable, processID: processID)
        let isOurs = variable("WATCHDOG_PID").map { CInt($0) == processID } ?? true
        let interval = variable("WATCHDOG_USEC").flatMap { UInt64($0) } ?? 0
        watchdog = socket != nil && isOurs && interval > 0 ? interval : nil
    }

    /// Whether somebody listens to what we say.
    package var isPresent: Bool { socket != nil }

    /// Says something, as one message. A manager that does not listen is no reason to stop.
    package func say(_ notices: Notice...) {
        guard let socket else { return }
        _ = socket.send(Array(notices.map(\.lines).joined().utf8))
    }
}
