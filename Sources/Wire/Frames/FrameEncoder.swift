/// Turns messages into bytes.
package struct FrameEncoder: Sendable {
    private let compression: FrameCompression?

    /// - Parameter compression: nil sends everything in plain.
    package init(compression: FrameCompression?) { self.compression = compression }

    /// The bytes of one frame.
    ///
    /// - Throws: `frameTooLarge` if the payload is beyond the limit; nothing may be sent of it then.
    package func encode(_ frame: Frame) throws(WireError) -> [UInt8] {
        // What may come before login must be readable before login.
        let early = [.hello, .bye, .pairing].contains(frame.kind)
        let limit = early ? WireLimits.frameBytesBeforeLogin : WireLimits.frameBytes
        guard frame.payload.count <= limit else {
            throw .frameTooLarge(bytes: frame.payload.count, limit: limit)
        }
        if !early, let compression, frame.payload.count > WireLimits.compressAbove {
            let small = compression.compress(frame.payload)
            if small.count < frame.payload.count { return Self.bytes(frame.kind, Frame.compressed, small) }
        }
        return Self.bytes(frame.kind, 0, frame.payload)
    }

    /// The bytes of one message.
    package func encode(_ message: Message) throws(WireError) -> [UInt8] {
        try encode(Frame(kind: message.kind, payload: message.payload))
    }

    private static func bytes(_ kind: FrameKind, _ flags: UInt8, _ payload: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Frame.headerBytes + payload.count)
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: payload.count >> shift)) }
        bytes.append(kind.rawValue)
        bytes.append(flags)
        bytes += payload
        return bytes
    }
}
