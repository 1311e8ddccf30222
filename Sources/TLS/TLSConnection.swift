import COpenSSL

/// One TLS 1.3 connection as bytes in and bytes out; it never sees a socket.
///
/// Give it what arrives (`receive`), write what it wants to say (`takeOutput`) after every call, also after one that
/// threw: the alert for the other side is in there. Both sides show a certificate, and the peer's key is judged
/// during the handshake, before any of its data is read.
@safe package final class TLSConnection {
    /// Who begins: the client is the side that dialled.
    package enum Role: Sendable { case client, server }

    private enum State {
        case handshake
        case established
        /// The peer has ended its side; ours may still send.
        case ended
        case failed(TLSError)
    }

    /// The handshake is done on this side: data may arrive, and goes out at once.
    ///
    /// A client is done before the server has judged it, so only the first data of the server says that it is
    /// accepted.
    package var isEstablished: Bool {
        switch state {
        case .handshake, .failed: false
        case .established, .ended: true
        }
    }

    /// The peer has said that it sends no more. If its bytes end without this, they were cut off.
    package var isEnded: Bool { if case .ended = state { true } else { false } }

    /// The key of the peer that was accepted and has proved that it owns it; nil before the end of the handshake.
    package var peerDeviceID: String? { isEstablished ? shownDeviceID : nil }

    /// The application protocol (RFC 7301) that both agreed on; nil for the ordinary one, which has no name.
    package private(set) var applicationProtocol: String?

    /// The key that was refused; a mere claim, as its owner has proved nothing yet. For telling people who tried.
    package private(set) var refusedDeviceID: String?

    /// The peer has ended the handshake because it does not speak the application protocol that we asked for.
    package private(set) var isProtocolRefused = false

    /// The peer has ended the connection because it does not accept our key.
    package private(set) var isKeyRefused = false
    /// Whether a record has begun to arrive that is not whole.
    package var isMidRecord: Bool { unsafe SSL_has_pending(ssl) == 1 }

    private let identity: Identity
    private let ssl: OpaquePointer
    private let input: OpaquePointer
    private let output: OpaquePointer
    private let accepts: (String) -> Bool
    private let speaks: (String) -> Bool
    private var shownDeviceID: String?
    private var state = State.handshake
    private var isClosed = false
    private var queue: [UInt8] = []

    /// Bytes that may wait for the end of the handshake.
    package static let queueLimit = 16 << 20

    /// - Parameters:
    ///   - identity: the key to show.
    ///   - role: the client speaks first; its greeting is in the output at once.
    ///   - applicationProtocol: what a client asks for, in ASCII; a server that does not speak it ends the handshake.
    ///   - speaks: whether a server speaks an application protocol now that a client asks for.
    ///   - accepts: whether a device ID may connect; called once, in the middle of `receive`, after `speaks`.
    package init(
        identity: Identity,
        role: Role,
        applicationProtocol: String? = nil,
        speaks: @escaping (String) -> Bool = { _ in false },
        accepts: @escaping (String) -> Bool
    ) {
        guard let ssl = unsafe SSL_new(identity.context), let input = unsafe BIO_new(BIO_s_mem()),
            let output = unsafe BIO_new(BIO_s_mem())
        else { preconditionFailure("there is memory for a connection") }
        self.identity = identity
        self.accepts = accepts
        self.speaks = speaks
        unsafe self.ssl = ssl
        unsafe self.input = input
        unsafe self.output = output
        // Both buffers belong to `ssl` from here on.
        unsafe SSL_set_bio(ssl, input, output)
        // Unretained: `ssl` calls back only in calls of ours, and goes with us.
        unsafe SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(self).toOpaque())
        if let applicationProtocol {
            let name = Array(applicationProtocol.utf8)
            precondition(role == .client && (1...255).contains(name.count), "a client asks for a short name")
            let list = [UInt8(name.count)] + name
            let code = unsafe SSL_set_alpn_protos(ssl, list, CUnsignedInt(list.count))
            precondition(code == 0, "there is memory for a name")
        }
        switch role {
        case .client: unsafe SSL_set_connect_state(ssl)
        case .server: unsafe SSL_set_accept_state(ssl)
        }
        // An error here comes back at the next `receive`.
        try? shakeHands()
    }

    deinit { unsafe SSL_free(ssl) }

    /// Takes bytes of the peer, in any portions, and gives the data in them, perhaps none.
    ///
    /// After the peer's end (`isEnded`) more bytes are ignored.
    ///
    /// - Throws: if the peer is refused, or breaks or does not speak TLS 1.3; then at every further call too.
    package func receive(_ cipher: [UInt8]) throws(TLSError) -> [UInt8] {
        switch state {
        case .failed(let error): throw error
        case .ended: return []
        case .handshake, .established: break
        }
        unsafe MemoryBIO.append(cipher, to: input)
        if case .handshake = state { try shakeHands() }
        guard case .established = state else { return [] }
        return try readAll()
    }

    /// Encrypts data for the peer; before the end of the handshake it waits for that.
    ///
    /// - Throws: if the connection has failed or was closed, or more waits than `queueLimit`.
    package func send(_ plain: [UInt8]) throws(TLSError) {
        if case .failed(let error) = state { throw error }
        guard !isClosed else { throw TLSError("the connection is closed") }
        guard !isEstablished else { return try write(plain) }
        guard queue.count + plain.count <= TLSConnection.queueLimit else {
            throw TLSError("too much data waits for the end of the handshake")
        }
        queue += plain
    }

    /// Bytes that only the two ends of this session can know, different in each session (RFC 5705, RFC 8446 7.5).
    ///
    /// To be asked for after the handshake.
    package func exportedSecret(label: String, count: Int) -> [UInt8] {
        precondition(isEstablished, "a session exports after its handshake")
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let code = unsafe SSL_export_keying_material(
                ssl,
                buffer.baseAddress,
                count,
                label,
                label.utf8.count,
                nil,
                0,
                0
            )
            precondition(code == 1, "an established session exports")
            filled = count
        }
    }

    /// Takes the bytes that are to be written to the peer, perhaps none.
    package func takeOutput() -> [UInt8] { unsafe MemoryBIO.takeAll(output) }

    /// Says to the peer that no more comes (the output has it); receiving goes on. Idempotent.
    ///
    /// Nothing is said before the end of the handshake.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        queue = []
        guard isEstablished else { return }
        ERR_clear_error()
        _ = unsafe SSL_shutdown(ssl)
    }
}

extension TLSConnection {
    /// OpenSSL asks whether the certificate of the peer will do: 1 or 0.
    static func verify(_ store: OpaquePointer?) -> CInt {
        guard let ssl = unsafe X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()),
            let data = unsafe SSL_get_ex_data(OpaquePointer(ssl), 0)
        else { preconditionFailure("every connection is known to its callbacks") }
        let connection = unsafe Unmanaged<TLSConnection>.fromOpaque(data).takeUnretainedValue()
        let isAccepted = unsafe connection.judge(X509_STORE_CTX_get0_cert(store))
        if !isAccepted { unsafe X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_REJECTED) }
        return isAccepted ? 1 : 0
    }

    /// OpenSSL asks which of the protocols that the client offers will do. Called only where it offers some.
    static func choose(
        _ ssl: OpaquePointer?,
        _ offered: UnsafeBufferPointer<UInt8>,
        _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
        _ length: UnsafeMutablePointer<UInt8>?
    ) -> CInt {
        guard let data = unsafe SSL_get_ex_data(ssl, 0) else {
            preconditionFailure("every connection is known to its callbacks")
        }
        let connection = unsafe Unmanaged<TLSConnection>.fromOpaque(data).takeUnretainedValue()
        // Names with their length before them; OpenSSL has checked that they fill the list.
        var at = 0
        while at < offered.count {
            let count = unsafe Int(offered[at])
            let name = unsafe UnsafeBufferPointer(rebasing: offered[(at + 1)..<(at + 1 + count)])
            let text = unsafe String(decoding: name, as: UTF8.self)
            if connection.speaks(text) {
                connection.applicationProtocol = text
                unsafe chosen?.pointee = name.baseAddress
                unsafe length?.pointee = UInt8(count)
                return SSL_TLSEXT_ERR_OK
            }
            at += 1 + count
        }
        return SSL_TLSEXT_ERR_ALERT_FATAL
    }

    private func judge(_ certificate: OpaquePointer?) -> Bool {
        guard shownDeviceID == nil, let key = unsafe X509_get0_pubkey(certificate),
            unsafe EVP_PKEY_get_id(key) == EVP_PKEY_ED25519, let deviceID = unsafe fingerprint(of: key)
        else { return false }
        guard accepts(deviceID) else {
            refusedDeviceID = deviceID
            return false
        }
        shownDeviceID = deviceID
        return true
    }

    private func shakeHands() throws(TLSError) {
        ERR_clear_error()
        let code = unsafe SSL_do_handshake(ssl)
        guard code == 1 else {
            guard unsafe SSL_get_error(ssl, code) != SSL_ERROR_WANT_READ else { return }
            if let refusedDeviceID { throw fail(TLSError("the device \(refusedDeviceID) is not listed")) }
            noteAlert()
            throw fail(.openSSL("the handshake failed"))
        }
        state = .established
        noteApplicationProtocol()
        let waiting = queue
        queue = []
        if isClosed {
            _ = unsafe SSL_shutdown(ssl)
        } else {
            try write(waiting)
        }
    }

    /// What an alert of the peer means, before its error is taken out of OpenSSL's queue.
    private func noteAlert() {
        switch ERR_GET_REASON(ERR_peek_last_error()) {
        case SSL_R_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: isProtocolRefused = true
        case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE: isKeyRefused = true
        default: break
        }
    }

    private func noteApplicationProtocol() {
        var name: UnsafePointer<UInt8>?
        var count: CUnsignedInt = 0
        unsafe SSL_get0_alpn_selected(ssl, &name, &count)
        guard let name = unsafe name else { return }
        applicationProtocol = unsafe String(
            decoding: UnsafeBufferPointer(start: name, count: Int(count)),
            as: UTF8.self
        )
    }

    private func readAll() throws(TLSError) -> [UInt8] {
        var plain: [UInt8] = []
        let portion = 16_384  // bytes; a record of TLS has no more (RFC 8446, 5.1)
        while true {
            ERR_clear_error()
            var read = 0
            let code = unsafe withUnsafeTemporaryAllocation(byteCount: portion, alignment: 16) { buffer in
                let code = unsafe SSL_read_ex(ssl, buffer.baseAddress, portion, &read)
                unsafe plain.append(contentsOf: buffer[..<read])
                return code
            }
            if code == 1 { continue }
            switch unsafe SSL_get_error(ssl, code) {
            case SSL_ERROR_WANT_READ: return plain
            case SSL_ERROR_ZERO_RETURN:
                state = .ended
                return plain
            default:
                noteAlert()
                throw fail(.openSSL("the peer broke the connection"))
            }
        }
    }

    private func write(_ plain: [UInt8]) throws(TLSError) {
        guard !plain.isEmpty else { return }
        ERR_clear_error()
        var written = 0
        let code = unsafe plain.withUnsafeBytes {
            unsafe SSL_write_ex(ssl, $0.baseAddress, $0.count, &written)
        }
        guard code == 1 else { throw fail(.openSSL("cannot encrypt")) }
        precondition(written == plain.count, "a buffer in memory takes everything")
    }

    private func fail(_ error: TLSError) -> TLSError {
        state = .failed(error)
        queue = []
        return error
    }
}
