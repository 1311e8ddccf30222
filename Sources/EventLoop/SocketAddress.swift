import CLibUV
import Glibc

/// An internet address with a port, as the system keeps it.
@safe struct SocketAddress {
    private var storage = sockaddr_storage()

    /// Reads a numeric address; `[::1]` is read as `::1`. Nil for a name or anything else.
    init?(numeric host: String, port: UInt16) {
        let bare = SocketAddress.withoutBrackets(host)
        let code = unsafe withUnsafeMutableBytes(of: &storage) { bytes -> CInt in
            guard let base = bytes.baseAddress else { return UV_EINVAL.rawValue }
            let v4 = unsafe uv_ip4_addr(bare, CInt(port), base.assumingMemoryBound(to: sockaddr_in.self))
            if v4 == 0 { return 0 }
            return unsafe uv_ip6_addr(bare, CInt(port), base.assumingMemoryBound(to: sockaddr_in6.self))
        }
        if code != 0 { return nil }
    }

    /// Copies what a system call gave.
    init(_ address: UnsafePointer<sockaddr>, length: Int) {
        let count = min(length, MemoryLayout<sockaddr_storage>.size)
        unsafe withUnsafeMutableBytes(of: &storage) { bytes in
            unsafe bytes.copyMemory(from: UnsafeRawBufferPointer(start: address, count: count))
        }
    }

    /// Asks libuv for one end of a socket; nil where it has none.
    init?(_ ask: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<CInt>) -> CInt) {
        var length = CInt(MemoryLayout<sockaddr_storage>.size)
        let code = unsafe withUnsafeMutableBytes(of: &storage) { bytes -> CInt in
            guard let base = bytes.baseAddress else { return UV_EINVAL.rawValue }
            return unsafe ask(base.assumingMemoryBound(to: sockaddr.self), &length)
        }
        if code != 0 { return nil }
    }

    /// The port; it has the same place in both families.
    var port: UInt16 {
        unsafe withUnsafeBytes(of: storage) { unsafe UInt16($0[2]) << 8 | UInt16($0[3]) }
    }

    /// The address alone, without brackets; an IPv4 address inside IPv6 is shown as IPv4.
    var host: String {
        let limit = Int(INET6_ADDRSTRLEN)
        let host = unsafe withPointer { address in
            unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: limit) { buffer -> String in
                guard let start = buffer.baseAddress, unsafe uv_ip_name(address, start, limit) == 0 else {
                    return "?"
                }
                return unsafe String(cString: start)
            }
        }
        let mapped = "::ffff:"
        return host.hasPrefix(mapped) && host.contains(".") ? String(host.dropFirst(mapped.count)) : host
    }

    /// What one household has: an IPv4 address, or the first 64 bits of an IPv6 address, as text.
    var network: String {
        guard host.contains(":") else { return host }
        // sockaddr_in6: family, port and flow take eight bytes, then comes the address.
        return unsafe withUnsafeBytes(of: storage) { bytes in
            unsafe bytes[8..<16].map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined() + "/64"
        }
    }

    /// `192.0.2.1:8749` or `[2001:db8::1]:8749`.
    var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>) -> Result) -> Result {
        unsafe withUnsafeBytes(of: storage) { bytes in
            guard let base = bytes.baseAddress else { preconditionFailure("the storage is not empty") }
            return unsafe body(base.assumingMemoryBound(to: sockaddr.self))
        }
    }

    static func withoutBrackets(_ host: String) -> String {
        host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }
}
