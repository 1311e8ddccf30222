import Glibc

/// A blocking stream socket with deadlines; owns its descriptor, which `close` (or the end of its life) gives back.
@safe
final class Socket: Sendable {
    let descriptor: Int32

    init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit { Glibc.close(descriptor) }

    /// Connects to a Unix socket.
    static func unix(_ path: String) throws -> Socket {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw Failure("\(path) is too long")
        }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { space in
            for (index, byte) in bytes.enumerated() { unsafe space[index] = byte }
        }
        let socket = Socket(owning: Glibc.socket(AF_UNIX, stream, 0))
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(socket.descriptor, $0, size)
            }
        }
        guard result == 0 else { throw Failure("nobody answers on \(path) (\(errno))") }
        return socket
    }

    /// Connects to a port of the loopback.
    static func loopback(_ port: UInt16) throws -> Socket {
        let socket = Socket(owning: Glibc.socket(AF_INET, stream, 0))
        guard unsafe withAddress(port, { unsafe connect(socket.descriptor, $0, $1) }) == 0 else {
            throw Failure("nobody answers on port \(port) (\(errno))")
        }
        socket.setOption(IPPROTO_TCP_LEVEL, TCP_NODELAY)
        return socket
    }

    /// Listens on a port of the loopback, or throws if it is taken.
    static func listening(_ port: UInt16) throws -> Socket {
        let socket = Socket(owning: Glibc.socket(AF_INET, stream, 0))
        socket.setOption(SOL_SOCKET, SO_REUSEADDR)
        guard unsafe withAddress(port, { unsafe bind(socket.descriptor, $0, $1) }) == 0,
            listen(socket.descriptor, 64) == 0
        else { throw Failure("port \(port) is taken (\(errno))") }
        return socket
    }

    /// The next connection, or nil once the listener was shut down.
    func accepted() -> Socket? {
        let next = accept(descriptor, nil, nil)
        guard next >= 0 else { return nil }
        _ = fcntl(next, F_SETFD, FD_CLOEXEC)
        let socket = Socket(owning: next)
        socket.setOption(IPPROTO_TCP_LEVEL, TCP_NODELAY)
        return socket
    }

    /// Some bytes; empty at the end of the stream or after an error.
    func receive() -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { space, count in
            count = unsafe max(0, recv(descriptor, space.baseAddress, space.count, 0))
        }
    }

    /// Sends all bytes; false if the other side is gone.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let part = unsafe bytes.withUnsafeBytes { space in
                unsafe Glibc.send(
                    descriptor,
                    space.baseAddress?.advanced(by: sent),
                    space.count - sent,
                    Int32(MSG_NOSIGNAL)
                )
            }
            guard part > 0 else { return false }
            sent += part
        }
        return true
    }

    /// Whether bytes, or the end of the stream, can be read within the time.
    func isReadable(within seconds: Double) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&entry, 1, Int32(seconds * 1000)) > 0
    }

    /// Ends both directions; blocked calls on it return.
    func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Says that no more will be sent.
    func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    private static let stream = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)

    private static func withAddress(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32)
        -> Int32
    {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// Lets the system keep little of what was not received yet.
    func readsLittle() {
        var bytes: CInt = 4096
        unsafe _ = setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_RCVBUF,
            &bytes,
            socklen_t(MemoryLayout<CInt>.size)
        )
    }

    /// Lets a send that makes no way end after some seconds.
    func giveUpSending(after seconds: Int) {
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        unsafe _ = setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_SNDTIMEO,
            &time,
            socklen_t(MemoryLayout<timeval>.size)
        )
    }

    private func setOption(_ level: Int32, _ name: Int32) {
        var on: Int32 = 1
        unsafe _ = setsockopt(descriptor, level, name, &on, socklen_t(MemoryLayout<Int32>.size))
    }
}

private let IPPROTO_TCP_LEVEL = Int32(IPPROTO_TCP)
