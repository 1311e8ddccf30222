import CLibUV
import Glibc

/// Calls a body when the machine gets an address or a route, until it is closed.
///
/// The kernel tells it on a netlink socket (rtnetlink(7)). The loop holds it, its owner need not.
package final class NetworkWatch {
    private let descriptor: CInt
    private var watch: DescriptorWatch?

    fileprivate init?(_ loop: EventLoop, _ body: @escaping () -> Void) {
        let type = CInt(SOCK_RAW.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        descriptor = socket(AF_NETLINK, type, NETLINK_ROUTE)
        guard descriptor >= 0, NetworkWatch.subscribe(descriptor) else { return nil }
        // The closure holds us while the watch is open, and the watch drops it at its close.
        watch = loop.watch(descriptor: descriptor) { [self] in
            if NetworkWatch.takeNews(descriptor) { body() }
        }
    }

    deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

    /// Stops watching, and drops the body. Idempotent.
    package func close() {
        watch?.close()
        watch = nil
    }
}

extension NetworkWatch {
    /// Bytes of one read; one message about an address or a route has a few hundred.
    private static let bufferSize = 16_384

    private static func subscribe(_ descriptor: CInt) -> Bool {
        // Without this an overflow is an error that would end the watch; a lost message costs us nothing.
        var on: CInt = 1
        let size = socklen_t(MemoryLayout.size(ofValue: on))
        _ = unsafe setsockopt(descriptor, SOL_NETLINK, NETLINK_NO_ENOBUFS, &on, size)
        var address = sockaddr_nl()
        address.nl_family = sa_family_t(AF_NETLINK)
        address.nl_groups = UInt32(RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE)
        return unsafe withUnsafeBytes(of: address) { bytes in
            guard let base = bytes.baseAddress else { return false }
            let length = socklen_t(bytes.count)
            return unsafe bind(descriptor, base.assumingMemoryBound(to: sockaddr.self), length) == 0
        }
    }

    /// Reads all that is there; true if an address or a route was added.
    private static func takeNews(_ descriptor: CInt) -> Bool {
        var buffer = [UInt8](repeating: 0, count: bufferSize)
        var found = false
        while true {
            let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return found }
            if isNews(Array(buffer[..<count])) { found = true }
        }
    }

    /// Whether a datagram of messages says that an address or a route was added.
    ///
    /// A message has its length (4 bytes), its type (2) and more, and is aligned to 4 (netlink(7)).
    package static func isNews(_ datagram: [UInt8]) -> Bool {
        var rest = datagram[...]
        while rest.count >= 16 {
            let start = rest.startIndex
            let length = unsafe rest.withUnsafeBytes { unsafe Int($0.loadUnaligned(as: UInt32.self)) }
            let type = unsafe rest.withUnsafeBytes {
                unsafe Int($0.loadUnaligned(fromByteOffset: 4, as: UInt16.self))
            }
            if type == Int(RTM_NEWADDR) || type == Int(RTM_NEWROUTE) { return true }
            guard length >= 16, length <= rest.count else { return false }
            rest = rest[min(start + (length + 3) & ~3, rest.endIndex)...]
        }
        return false
    }
}

extension EventLoop {
    /// Calls `body` soon after this machine got an address or an IPv4 route; several together may be one call.
    ///
    /// - Returns: nil where the system gives no such news (a sandbox); it is a hint only.
    @discardableResult
    package func onNetworkChange(_ body: @escaping () -> Void) -> NetworkWatch? {
        checkUse()
        return NetworkWatch(self, body)
    }
}
