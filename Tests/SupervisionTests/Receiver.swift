import Glibc
import Testing

/// A datagram socket in a directory of its own, as a manager or a journal has it.
@safe
final class Receiver {
    let path: String
    private let directory: String
    private let descriptor: CInt

    init() throws {
        var template = Array("/tmp/contactsync-test-XXXXXX".utf8CString)
        try #require(unsafe mkdtemp(&template) != nil)
        directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        path = directory + "/notify"
        descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let bound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
    }

    deinit {
        _ = close(descriptor)
        _ = unsafe unlink(path)
        _ = unsafe rmdir(directory)
    }

    /// The next datagram, nil if there is none.
    func next() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
        return count < 0 ? nil : Array(buffer[..<count])
    }

    func nextText() -> String? { next().map { String(decoding: $0, as: UTF8.self) } }
}
