import Glibc

/// The journal's own socket, which takes entries with fields (systemd's "Native Journal Protocol").
package final class JournalSocket {
    private let socket: DatagramSocket

    /// Connects to the journal; nil if there is none.
    package init?(_ path: String = "/run/systemd/journal/socket") {
        guard let socket = DatagramSocket(path) else { return nil }
        self.socket = socket
    }

    /// Writes one entry.
    ///
    /// - Parameter fields: names (capital letters, digits and underscores, no underscore in front) and values.
    /// - Returns: whether it was taken; an entry beyond what a datagram holds is not.
    package func write(_ fields: [(name: String, value: String)]) -> Bool {
        var entry: [UInt8] = []
        for (name, value) in fields {
            let value = Array(value.utf8)
            entry += Array(name.utf8)
            if value.contains(UInt8(ascii: "\n")) {
                entry.append(UInt8(ascii: "\n"))
                unsafe withUnsafeBytes(of: UInt64(value.count).littleEndian) {
                    unsafe entry.append(contentsOf: $0)
                }
            } else {
                entry.append(UInt8(ascii: "="))
            }
            entry += value
            entry.append(UInt8(ascii: "\n"))
        }
        return socket.send(entry)
    }

    /// Whether a descriptor leads to the journal, as `JOURNAL_STREAM` says (systemd.exec(5)): device and inode.
    package static func isBehind(_ descriptor: CInt, stream: String?) -> Bool {
        var info = stat()
        guard let stream, unsafe fstat(descriptor, &info) == 0 else { return false }
        return stream == "\(info.st_dev):\(info.st_ino)"
    }
}
