/// What a peer did that ends its connection.
package enum WireError: Error, Hashable, Sendable {
    /// A payload announced, or decompressed, beyond the limit; in bytes.
    case frameTooLarge(bytes: Int, limit: Int)
    /// Flags that this version does not know.
    case unknownFlags(UInt8)
    /// A kind that this version does not know.
    case unknownKind(UInt8)
    /// A compressed frame before login, or where no compression is at hand.
    case compressionRefused
    /// A payload that is no whole zstd frame.
    case decompression(reason: String)
    /// A payload that is not what its kind says.
    case malformed(FrameKind, reason: String)
    /// A message that may not come now.
    case unexpected(FrameKind, reason: String)
    /// A batch that does not continue where the last one ended.
    case gap(book: String, expected: UInt64, got: UInt64)
    /// More of something than a limit allows.
    case tooMany(FrameKind, limit: Int)
    /// Messages of a kind follow each other too quickly.
    case tooFast(FrameKind, perSecond: Int)
    /// A payload that is no JSON, or has too much of it.
    case notJSON(FrameKind, reason: String)
    /// A frame was begun and is not brought to its end.
    case stalled(milliseconds: UInt64)
    /// What was sent is not read.
    case notReading(milliseconds: UInt64)
}

extension WireError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .frameTooLarge(let bytes, let limit): "a frame of \(bytes) bytes, \(limit) are allowed"
        case .unknownFlags(let flags): "frame flags \(flags) are not known"
        case .unknownKind(let kind): "frame kind \(kind) is not known"
        case .compressionRefused: "a compressed frame where none is allowed"
        case .decompression(let reason): "a compressed frame cannot be read: \(reason)"
        case .malformed(let kind, let reason): "\(kind): \(reason)"
        case .unexpected(let kind, let reason): "\(kind) out of turn: \(reason)"
        case .gap(let book, let expected, let got):
            "a gap in the feed of \(book): expected \(expected), got \(got)"
        case .tooMany(let kind, let limit): "\(kind): more than \(limit)"
        case .tooFast(let kind, let limit): "\(kind): more than \(limit) a second"
        case .notJSON(let kind, let reason): "\(kind) cannot be read: \(reason)"
        case .stalled(let time): "a frame was begun and did not get on for \(time / 1000) s"
        case .notReading(let time): "the other side does not read what was sent to it, for \(time / 1000) s"
        }
    }
}
