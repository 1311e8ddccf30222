import CLibUV

/// The addresses under which other machines may find this one.
package enum HostAddress {
    /// Numeric, without those of the machine itself and of the link only; IPv4 first.
    package static var reachable: [String] {
        var list: UnsafeMutablePointer<uv_interface_address_t>?
        var count: CInt = 0
        guard unsafe uv_interface_addresses(&list, &count) == 0, let start = unsafe list else { return [] }
        defer { unsafe uv_free_interface_addresses(start, count) }
        var (four, six): ([String], [String]) = ([], [])
        for at in 0..<Int(count) where unsafe start[at].is_internal == 0 {
            let host = unsafe withUnsafePointer(to: start[at].address) { address in
                unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                    unsafe SocketAddress(raw, length: MemoryLayout.size(ofValue: start[at].address)).host
                }
            }
            if host.contains(":") { six.append(host) } else { four.append(host) }
        }
        return four.filter { !$0.hasPrefix("169.254.") } + six.filter { !$0.hasPrefix("fe80:") }
    }
}
