import COpenSSL

/// OpenSSL's buffers in memory, by which cipher bytes go in and out.
enum MemoryBIO {
    /// Adds bytes at the end.
    static func append(_ bytes: [UInt8], to bio: OpaquePointer) {
        guard !bytes.isEmpty else { return }
        let written = unsafe bytes.withUnsafeBytes { unsafe BIO_write(bio, $0.baseAddress, CInt($0.count)) }
        precondition(Int(written) == bytes.count, "a buffer in memory takes everything")
    }

    /// Takes all bytes out.
    static func takeAll(_ bio: OpaquePointer) -> [UInt8] {
        let pending = unsafe BIO_ctrl_pending(bio)
        guard pending > 0 else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: pending) { buffer, count in
            count = unsafe Int(BIO_read(bio, buffer.baseAddress, CInt(pending)))
            precondition(count == pending, "a buffer in memory gives all it has")
        }
    }
}
