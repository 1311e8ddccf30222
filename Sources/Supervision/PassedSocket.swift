import Glibc

/// A socket that the service manager opened for this process (sd_listen_fds(3)).
package struct PassedSocket: Hashable, Sendable {
    /// `FileDescriptorName=` of the socket's unit; systemd names it after the unit where that says nothing.
    package let name: String
    /// It belongs to whoever took it; programs that this process starts do not inherit it.
    package let descriptor: CInt

    /// The number of the first descriptor that is passed.
    private static let first: CInt = 3
    /// More than any service has; a larger number is a mistake.
    private static let limit: CInt = 1024

    /// Those passed to this process; none if the variables mean another one.
    static func all(_ variable: (String) -> String?, processID: CInt) -> [PassedSocket] {
        guard variable("LISTEN_PID").flatMap({ CInt($0) }) == processID,
            let count = variable("LISTEN_FDS").flatMap({ CInt($0) }), (1...limit).contains(count)
        else { return [] }
        let names = (variable("LISTEN_FDNAMES") ?? "").split(separator: ":", omittingEmptySubsequences: false)
        return (0..<count).map { index in
            let descriptor = first + index
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            let name = names.count == Int(count) ? String(names[Int(index)]) : ""
            return PassedSocket(name: name, descriptor: descriptor)
        }
    }

    /// Whether it is a Unix stream socket that listens.
    package var isListeningUnixStream: Bool {
        option(SO_DOMAIN) == AF_UNIX && option(SO_TYPE) == CInt(SOCK_STREAM.rawValue)
            && option(SO_ACCEPTCONN) == 1
    }

    private func option(_ name: CInt) -> CInt? {
        var value: CInt = 0
        var length = socklen_t(MemoryLayout<CInt>.size)
        return unsafe getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }
}
