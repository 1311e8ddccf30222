import COpenSSL

/// Random numbers that nobody can guess.
package enum Random {
    /// So many random bytes.
    package static func bytes(_ count: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            // Without randomness there is no safe way on, and Linux always has some.
            let code = unsafe RAND_bytes(buffer.baseAddress, CInt(count))
            precondition(count == 0 || code == 1, "the system has no randomness")
            filled = count
        }
    }

    /// 64 random bits.
    package static func bits64() -> UInt64 { bytes(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
