import COpenSSL

/// This machine's key, and the device ID by which its peers know it.
@safe package final class Identity {
    /// 64 lower-case hex digits: the SHA-256 of the public key (SubjectPublicKeyInfo, DER).
    package let deviceID: String

    /// What all connections of this machine share: key, certificate, rules.
    let context: OpaquePointer

    private init(_ key: PrivateKey) throws(TLSError) {
        guard let deviceID = unsafe fingerprint(of: key.raw) else { throw .openSSL("cannot read the key") }
        self.deviceID = deviceID
        unsafe context = try Identity.makeContext(key, Certificate(for: key))
    }

    deinit { unsafe SSL_CTX_free(context) }

    /// Reads `key.pem` in a directory, and makes key and directory if there is none.
    ///
    /// Two processes that do so at the same time end with the same key.
    ///
    /// - Throws: if the file cannot be read or made, is open to others (as the directory), or holds no Ed25519 key. A broken file is
    ///   never replaced.
    package static func load(directory: String) throws(TLSError) -> Identity {
        let file = KeyFile(directory: directory)
        try file.checkDirectory()
        if let pem = try file.read() { return try Identity(read(pem, file)) }
        try file.create(PrivateKey.generate().pem())
        guard let pem = try file.read() else { throw TLSError("\(file.path) went away again") }
        return try Identity(read(pem, file))
    }
}

extension Identity {
    private static func read(_ pem: [UInt8], _ file: KeyFile) throws(TLSError) -> PrivateKey {
        do {
            return try PrivateKey(pem: pem)
        } catch {
            throw TLSError("\(file.path) is no key of ours (\(error.reason)); it is left as it is")
        }
    }

    /// Bytes of a peer's certificates; one of ours has about 250.
    private static let certificateLimit = 16_384

    private static func makeContext(
        _ key: PrivateKey,
        _ certificate: Certificate
    ) throws(TLSError) -> OpaquePointer {
        guard let context = unsafe SSL_CTX_new(TLS_method()) else { throw .openSSL("cannot start TLS") }
        let isSet =
            unsafe shim_SSL_CTX_set_protocol(context, TLS1_3_VERSION) == 1
            && SSL_CTX_use_certificate(context, certificate.raw) == 1
            && SSL_CTX_use_PrivateKey(context, key.raw) == 1
            // No tickets: nobody resumes, and what is idle says nothing.
            && SSL_CTX_set_num_tickets(context, 0) == 1
            && shim_SSL_CTX_set_max_cert_list(context, certificateLimit) == 1
        guard isSet else {
            unsafe SSL_CTX_free(context)
            throw .openSSL("cannot start TLS")
        }
        unsafe shim_SSL_CTX_no_sessions(context)
        unsafe shim_SSL_CTX_release_buffers(context)
        unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        // In place of OpenSSL's check of names, dates and authorities: the key alone decides.
        unsafe SSL_CTX_set_cert_verify_callback(
            context,
            { store, _ in unsafe TLSConnection.verify(store) },
            nil
        )
        unsafe SSL_CTX_set_alpn_select_cb(
            context,
            { ssl, chosen, length, offered, count, _ in
                unsafe TLSConnection.choose(
                    ssl,
                    UnsafeBufferPointer(start: offered, count: Int(count)),
                    chosen,
                    length
                )
            },
            nil
        )
        return unsafe context
    }
}
