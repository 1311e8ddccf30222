import COpenSSL

/// The 32 bytes of the SHA-256 (FIPS 180-4) of some bytes. May be called on any thread.
package func sha256(_ bytes: [UInt8]) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: 32) { digest, count in
        let result = unsafe bytes.withUnsafeBufferPointer {
            unsafe SHA256($0.baseAddress, $0.count, digest.baseAddress)
        }
        precondition(unsafe result != nil, "OpenSSL has SHA-256")
        count = 32
    }
}
