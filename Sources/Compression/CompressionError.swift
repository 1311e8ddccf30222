/// Why bytes could not be decompressed.
package enum CompressionError: Error, Hashable, Sendable {
    /// They are not exactly one whole zstd frame, or it is damaged.
    case malformed

    /// They would become more than this many bytes, or need more memory than a frame of ours does.
    case tooLarge(limit: Int)
}
