/// Turns bytes, in whatever pieces they come, into lines.
package struct LineDecoder: Sendable {
    /// A line beyond the limit; nothing after it can be read.
    package struct TooLong: Error, Hashable, Sendable {
        /// The limit in bytes.
        package let limit: Int
    }

    private let limit: Int
    private var buffer: [UInt8] = []
    /// Where the next line begins.
    private var start = 0
    /// Up to where no line end was found.
    private var searched = 0

    /// - Parameter limit: bytes of a line without its end. The daemon keeps to the default; replies may be longer.
    package init(limit: Int = WireLimits.lineBytes) { self.limit = limit }

    /// Takes bytes in. Lines are to be taken out before the next read, or the buffer grows.
    package mutating func feed(_ bytes: some Collection<UInt8>) {
        if start > 0 {
            buffer.removeSubrange(..<start)
            searched -= start
            start = 0
        }
        buffer += bytes
    }

    /// The next line without its end (LF or CR LF), nil if more bytes are needed. Empty lines are skipped.
    package mutating func next() throws(TooLong) -> [UInt8]? {
        while let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
            var line = buffer[start..<end]
            (start, searched) = (end + 1, end + 1)
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            guard line.count <= limit else { throw TooLong(limit: limit) }
            if !line.isEmpty { return Array(line) }
        }
        searched = buffer.count
        // One more than the limit may be the CR of an end that is not complete.
        guard buffer.count - start <= limit + 1 else { throw TooLong(limit: limit) }
        return nil
    }
}
