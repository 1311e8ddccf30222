/// Turns bytes, in whatever pieces they come, into frames.
///
/// Feeding and taking are two calls, so that the reader decides how many frames it works off in one turn.
package struct FrameDecoder: Sendable {
    private let compression: FrameCompression?
    private var limit = WireLimits.frameBytesBeforeLogin
    private var buffer: [UInt8] = []
    /// Where in `buffer` the next frame begins.
    private var start = 0

    /// - Parameter compression: nil refuses compressed frames.
    package init(compression: FrameCompression?) { self.compression = compression }

    /// Takes bytes in. Frames are to be taken out before the next read, or the buffer grows.
    package mutating func feed(_ bytes: some Collection<UInt8>) {
        if start > 0 {
            buffer.removeSubrange(..<start)
            start = 0
        }
        buffer += bytes
    }

    /// Raises the limits once the peer's hello was read.
    package mutating func loggedIn() { limit = WireLimits.frameBytes }

    /// Bytes that are not yet a whole frame.
    package var pendingBytes: Int { buffer.count - start }

    /// The next whole frame, nil if more bytes are needed.
    ///
    /// - Throws: as soon as the header shows the fault, before its payload is waited for. The decoder is of no use then.
    package mutating func next() throws(WireError) -> Frame? {
        guard pendingBytes >= Frame.headerBytes else { return nil }
        let length = buffer[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        guard length <= limit else { throw .frameTooLarge(bytes: length, limit: limit) }
        guard let kind = FrameKind(rawValue: buffer[start + 4]) else {
            throw .unknownKind(buffer[start + 4])
        }
        let flags = buffer[start + 5]
        guard flags & ~Frame.compressed == 0 else { throw .unknownFlags(flags) }
        let isCompressed = flags & Frame.compressed != 0
        guard !isCompressed || (compression != nil && limit == WireLimits.frameBytes) else {
            throw .compressionRefused
        }
        guard pendingBytes >= Frame.headerBytes + length else { return nil }
        let from = start + Frame.headerBytes
        let payload = Array(buffer[from..<from + length])
        start = from + length
        return Frame(kind: kind, payload: isCompressed ? try plain(payload) : payload)
    }

    private func plain(_ payload: [UInt8]) throws(WireError) -> [UInt8] {
        guard let compression else { throw .compressionRefused }
        let plain: [UInt8]
        do {
            plain = try compression.decompress(payload, limit)
        } catch {
            throw .decompression(reason: "\(error)")
        }
        guard plain.count <= limit else { throw .frameTooLarge(bytes: plain.count, limit: limit) }
        return plain
    }
}
