import COpenSSL

/// An Ed25519 key pair (RFC 8032), owned.
@safe final class PrivateKey {
    let raw: OpaquePointer

    private init(taking raw: OpaquePointer) { unsafe self.raw = raw }

    deinit { unsafe EVP_PKEY_free(raw) }

    /// A new random key.
    static func generate() throws(TLSError) -> PrivateKey {
        let context = unsafe EVP_PKEY_CTX_new_id(EVP_PKEY_ED25519, nil)
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard unsafe EVP_PKEY_keygen_init(context) == 1, unsafe EVP_PKEY_keygen(context, &key) == 1,
            let key = unsafe key
        else { throw .openSSL("cannot make a key") }
        return unsafe PrivateKey(taking: key)
    }

    /// Reads what `pem` wrote: PKCS #8 without a password (RFC 5958, RFC 8410).
    ///
    /// - Throws: for anything else, also another kind of key.
    init(pem: [UInt8]) throws(TLSError) {
        let read = unsafe pem.withUnsafeBytes { bytes -> OpaquePointer? in
            guard let bio = unsafe BIO_new_mem_buf(bytes.baseAddress, CInt(bytes.count)) else { return nil }
            defer { unsafe BIO_free(bio) }
            // Answers "no password"; OpenSSL would ask on the terminal.
            return unsafe PEM_read_bio_PrivateKey(bio, nil, { _, _, _, _ in -1 }, nil)
        }
        guard let read = unsafe read else { throw .openSSL("it holds no private key") }
        guard unsafe EVP_PKEY_get_id(read) == EVP_PKEY_ED25519 else {
            unsafe EVP_PKEY_free(read)
            throw TLSError("it holds a key of another kind than Ed25519")
        }
        unsafe raw = read
    }

    /// The key as PEM text.
    func pem() throws(TLSError) -> [UInt8] {
        guard let bio = unsafe BIO_new(BIO_s_mem()) else { throw .openSSL("cannot write a key") }
        defer { unsafe BIO_free(bio) }
        guard unsafe PEM_write_bio_PKCS8PrivateKey(bio, raw, nil, nil, 0, nil, nil) == 1 else {
            throw .openSSL("cannot write a key")
        }
        return unsafe MemoryBIO.takeAll(bio)
    }
}

/// The fingerprint of a public key: 64 lower-case hex digits of the SHA-256 of its SubjectPublicKeyInfo (RFC 5280).
func fingerprint(of key: OpaquePointer) -> String? {
    var start: UnsafeMutablePointer<UInt8>?
    let count = unsafe i2d_PUBKEY(key, &start)
    guard count > 0, let start = unsafe start else { return nil }
    defer { unsafe CRYPTO_free(start, nil, 0) }
    let digits = Array("0123456789abcdef".utf8)
    let hex = unsafe sha256(Array(UnsafeBufferPointer(start: start, count: Int(count)))).flatMap {
        [digits[Int($0 >> 4)], digits[Int($0 & 15)]]
    }
    return String(decoding: hex, as: UTF8.self)
}
