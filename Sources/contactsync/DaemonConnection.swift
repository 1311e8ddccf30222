import Glibc

/// A blocking connection to the daemon's Unix socket.
///
/// A command asks once and ends, so this needs no loop.
struct DaemonConnection: ~Copyable {
    /// Bytes of one answer: a book of 100,000 contacts with photos fits; a stream without line end does not.
    static let answerLimit = 2 << 30

    let path: String
    private let descriptor: CInt
    /// What came after the last line that was taken.
    private var rest: [UInt8] = []

    private init(path: String, descriptor: CInt) {
        self.path = path
        self.descriptor = descriptor
    }

    /// Connects to the socket at `path`; throws a sentence, with exit code 3 if nobody answers there.
    static func open(path: String) throws(Failure) -> DaemonConnection {
        let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw Failure(.no, "no socket can be made: \(reason()); try again later") }
        let connection = DaemonConnection(path: path, descriptor: socket)
        try connection.connect()
        return connection
    }

    deinit { _ = close(descriptor) }

    /// Sends one line; `bytes` does not hold its end.
    func send(_ bytes: [UInt8]) throws(Failure) {
        var rest = (bytes + [0x0A])[...]
        while !rest.isEmpty {
            // MSG_NOSIGNAL: a daemon that ends meanwhile is a sentence, not a SIGPIPE; see send(2).
            let count = unsafe rest.withUnsafeBytes { bytes in
                unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw lost() }
            rest = rest.dropFirst(count)
        }
    }

    /// Receives one line, without its end; waits up to `patience` seconds, or for as long as it takes.
    mutating func receive(patience: Int?) throws(Failure) -> [UInt8] {
        let end = patience.map { Self.now() + $0 * 1000 }
        if let end = rest.firstIndex(of: 0x0A) {
            defer { rest.removeSubrange(...end) }
            return Array(rest[..<end])
        }
        var line = rest
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while line.count < Self.answerLimit {
            try wait(until: end)
            let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw lost() }
            if let at = buffer[..<count].firstIndex(of: 0x0A) {
                rest = Array(buffer[(at + 1)..<count])
                return line + buffer[..<at]
            }
            line += buffer[..<count]
        }
        throw Failure(
            .no,
            "the answer of the daemon is larger than \(Self.answerLimit >> 30) GiB; ask for less"
        )
    }

    /// Whether something can be received, now or within some milliseconds.
    borrowing func isReady(within milliseconds: Int) -> Bool {
        guard rest.isEmpty else { return true }
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&entry, 1, CInt(clamping: milliseconds)) != 0
    }

    private func connect() throws(Failure) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = Array(path.utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard name.count < room else {
            throw Failure(
                .usage,
                "the socket's path is longer than \(room - 1) bytes: \(path). Set a shorter `socket`"
            )
        }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe Glibc.connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result != 0 else { return }
        switch errno {
        case ENOENT, ECONNREFUSED, ENOTDIR:
            throw Failure(
                .notRunning,
                "contactsyncd is not running: nobody answers at \(path). "
                    + "Start it with `systemctl --user start contactsync`, or run `contactsyncd`"
            )
        case EACCES, EPERM:
            throw Failure(.refused, "\(path) belongs to another user. Run this as the user of contactsyncd")
        default:
            throw Failure(
                .notRunning,
                "contactsyncd cannot be reached at \(path): \(Self.reason()). See whether it runs, with `systemctl --user status contactsync`"
            )
        }
    }

    /// Waits until something can be read; `end` in milliseconds of the monotonic clock.
    private func wait(until end: Int?) throws(Failure) {
        guard let end else { return }
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let left = max(0, end - Self.now())
            let count = unsafe poll(&entry, 1, CInt(clamping: left))
            if count > 0 { return }
            if count < 0, errno == EINTR { continue }
            throw Failure(.no, "contactsyncd runs but does not answer. Look into its log, and try again")
        }
    }

    private func lost() -> Failure {
        Failure(
            .notRunning,
            "contactsyncd closed the connection before it answered. Look into its log, and try again"
        )
    }

    private static func now() -> Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }

    private static func reason() -> String {
        unsafe String(cString: strerror(errno))
    }
}
