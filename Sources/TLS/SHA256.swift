import COpenSSL

/// The 32 bytes of the SHA-256 (FIPS 180-4) of some bytes. May be called on any thread.
///
/// Books hash every record, so this uses OpenSSL's direct functions: for a card they take less than half the
/// time of those that look the algorithm up at each call.
package func sha256(_ bytes: [UInt8]) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: 32) { digest, count in
        var state = SHA256_CTX()
        let isDone = unsafe bytes.withUnsafeBytes {
            unsafe SHA256_Init(&state) == 1 && SHA256_Update(&state, $0.baseAddress, $0.count) == 1
                && SHA256_Final(digest.baseAddress, &state) == 1
        }
        precondition(isDone, "SHA-256 of bytes in memory cannot fail")
        count = 32
    }
}
