import Glibc

/// A datagram socket, as a service manager or a journal has it; gone with its file at the end of its life.
@safe
package final class DatagramReceiver {
    package let path: String
    private let descriptor: CInt

    /// Listens on a path; nil if that cannot be.
    package init?(_ path: String) {
        self.path = path
        descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let bound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        if bound != 0 { return nil }
    }

    deinit {
        _ = close(descriptor)
        _ = unsafe unlink(path)
    }

    /// The next datagram, nil if there is none.
    package func next() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT))
        return count < 0 ? nil : Array(buffer[..<count])
    }

    package func nextText() -> String? { next().map { String(decoding: $0, as: UTF8.self) } }
}
