import CZstd

/// Zstandard frames (RFC 8878), one frame for some bytes.
package enum Zstd {
    /// Binary logarithm of the bytes of window that a frame may ask for: 8 MiB, what every reader should have
    /// (RFC 8878, 3.1.1.1.2). Levels up to 19 need no more.
    static let windowLimit: Int32 = 23

    /// Bytes that come out at once at least, whatever a frame promises: of fewer at a time there would be too many.
    private static let leastPortion: UInt64 = 4096

    /// Compresses some bytes into a frame with a checksum of its own.
    ///
    /// - Parameter level: 1 (fast) to 19 (small).
    package static func compress(_ bytes: [UInt8], level: Int32 = 3) -> [UInt8] {
        precondition((1...19).contains(level), "a level is 1 to 19")
        guard let context = unsafe ZSTD_createCCtx() else {
            preconditionFailure("there is memory to compress")
        }
        defer { unsafe ZSTD_freeCCtx(context) }
        unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level)
        unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
        let bound = ZSTD_compressBound(bytes.count)
        return unsafe [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
            count = unsafe bytes.withUnsafeBytes {
                unsafe ZSTD_compress2(context, buffer.baseAddress, bound, $0.baseAddress, $0.count)
            }
            precondition(ZSTD_isError(count) == 0, "what fits the bound can be compressed")
        }
    }

    /// Gives back the bytes of a frame, at most `limit`.
    ///
    /// Memory follows what really comes out, not what the header of the frame promises.
    ///
    /// - Throws: `tooLarge` as soon as more than `limit` comes out or the window is above 8 MiB, `malformed` for a
    ///   frame that is damaged, cut off, or followed by anything.
    package static func decompress(_ bytes: [UInt8], limit: Int) throws(CompressionError) -> [UInt8] {
        guard let context = unsafe ZSTD_createDCtx() else {
            preconditionFailure("there is memory to decompress")
        }
        defer { unsafe ZSTD_freeDCtx(context) }
        unsafe ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, windowLimit)
        var result: [UInt8] = []
        // A lone record is small: to clear 128 KiB for it takes longer than to decompress it.
        let promised = unsafe bytes.withUnsafeBytes {
            unsafe ZSTD_getFrameContentSize($0.baseAddress, $0.count)
        }
        let size = min(UInt64(ZSTD_DStreamOutSize()), max(promised, leastPortion))
        var portion = [UInt8](repeating: 0, count: Int(size))
        var position = 0
        while true {
            let before = position
            var produced = 0
            let rest = unsafe bytes.withUnsafeBytes { source in
                unsafe portion.withUnsafeMutableBytes { target in
                    var input = unsafe ZSTD_inBuffer(
                        src: source.baseAddress,
                        size: source.count,
                        pos: position
                    )
                    var output = unsafe ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
                    defer { unsafe (position, produced) = (input.pos, output.pos) }
                    return unsafe ZSTD_decompressStream(context, &output, &input)
                }
            }
            if ZSTD_isError(rest) != 0 {
                let isWindow = ZSTD_getErrorCode(rest) == ZSTD_error_frameParameter_windowTooLarge
                throw isWindow ? .tooLarge(limit: limit) : .malformed
            }
            guard result.count + produced <= limit else { throw .tooLarge(limit: limit) }
            result += portion[..<produced]
            if rest == 0 {
                guard position == bytes.count else { throw .malformed }
                return result
            }
            // Nothing goes in or comes out any more: the frame is cut off.
            guard position > before || produced > 0 else { throw .malformed }
        }
    }
}
