import Glibc

/// One end of a Unix datagram socket that only sends; owns its descriptor until the end of its life.
@safe
final class DatagramSocket {
    /// How long a send may wait for a receiver that does not read, milliseconds.
    private static let patience = 500

    private let descriptor: CInt

    /// Connects to a socket: an absolute path, or a name in Linux's abstract space with `@` in front.
    ///
    /// Nil if there is none, or if the address is of another kind or does not fit (unix(7)).
    init?(_ address: String) {
        var socketAddress = sockaddr_un()
        socketAddress.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(address.utf8)
        guard let first = bytes.first, bytes.count < MemoryLayout.size(ofValue: socketAddress.sun_path),
            !bytes.contains(0)
        else { return nil }
        switch first {
        case UInt8(ascii: "/"): bytes.append(0)
        case UInt8(ascii: "@"): bytes[0] = 0
        default: return nil
        }
        unsafe withUnsafeMutableBytes(of: &socketAddress.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        let connected = unsafe withUnsafePointer(to: &socketAddress) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, length)
            }
        }
        // A descriptor of -1 cannot be connected either.
        guard connected == 0 else {
            _ = close(descriptor)
            return nil
        }
        var wait = timeval(tv_sec: 0, tv_usec: Self.patience * 1000)
        _ = unsafe setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_SNDTIMEO,
            &wait,
            socklen_t(MemoryLayout<timeval>.size)
        )
    }

    deinit { _ = close(descriptor) }

    /// Sends one datagram; false if it was not taken.
    func send(_ bytes: [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL))
        } == bytes.count
    }
}
