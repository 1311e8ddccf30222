import Synchronization

/// Ports of the loopback for daemons and proxies.
enum Ports {
    private static let given = Mutex<Set<UInt16>>([])

    /// A port that nobody listens on, below those that outgoing connections take; never given twice.
    static func free() throws -> UInt16 {
        for _ in 0..<1000 {
            let port = UInt16.random(in: 20_000..<31_000)
            guard given.withLock({ $0.insert(port).inserted }) else { continue }
            if (try? Socket.listening(port)) != nil { return port }
        }
        throw Failure("no free port")
    }
}
