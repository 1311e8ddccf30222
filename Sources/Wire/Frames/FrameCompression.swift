/// The port to zstd.
package struct FrameCompression: Sendable {
    /// The bytes as one zstd frame.
    package let compress: @Sendable ([UInt8]) -> [UInt8]
    /// The content of one zstd frame; throws if it is none or holds more bytes than the second argument.
    package let decompress: @Sendable ([UInt8], Int) throws -> [UInt8]

    package init(
        compress: @escaping @Sendable ([UInt8]) -> [UInt8],
        decompress: @escaping @Sendable ([UInt8], Int) throws -> [UInt8]
    ) {
        self.compress = compress
        self.decompress = decompress
    }
}
