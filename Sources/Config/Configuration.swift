/// What one machine was told: its name, where it listens, its books and its peers.
package struct Configuration: Sendable, Equatable {
    /// Whether and where peers may connect.
    package enum Listen: Sendable, Hashable {
        /// Peers are only dialled, never accepted.
        case off
        /// The host is an address or a name without brackets; port 0 is any free port.
        case at(host: String, port: UInt16)
    }

    /// The port of peers if none is written.
    package static let defaultPort: UInt16 = 8749

    /// Room for a database's log, a few files, and the next save of an editor; little enough for a small machine.
    package static let defaultDiskReserve = 128 << 20

    /// The name that peers see.
    package var name: String
    package var listen: Listen
    /// The state directory: absolute, normalised.
    package var state: String
    /// The path of the command line's socket: absolute, normalised.
    package var socket: String
    /// Bytes that stay free on the disks of state and books: with less, nothing of peers is taken in.
    package var diskReserve: Int
    /// Sorted by name.
    package var books: [Book]
    /// Sorted by name.
    package var peers: [Peer]
    /// Sorted by name.
    package var hooks: [Hook] = []
    /// Where metrics are served over HTTP; nil if they are not.
    package var metricsListen: Place?
    /// Where the page is served once somebody asks for it, always on loopback; nil if never.
    package var webListen: Place? = Place(host: "127.0.0.1", port: 0)
    /// The file that was read; empty if these are the defaults.
    package var file: String

    /// What holds when a file says nothing: no books, no peers.
    package static func defaults(_ environment: ConfigEnvironment) -> Configuration {
        let state = environment.defaultState
        return Configuration(
            name: environment.hostName,
            listen: .at(host: "::", port: defaultPort),
            state: state,
            socket: environment.defaultSocket(state: state),
            diskReserve: defaultDiskReserve,
            books: [],
            peers: [],
            file: ""
        )
    }
}
