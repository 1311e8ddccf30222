import COpenSSL

/// A self-signed certificate, which only carries the public key: nobody looks at its names and dates.
@safe final class Certificate {
    let raw: OpaquePointer

    deinit { unsafe X509_free(raw) }

    init(for key: PrivateKey) throws(TLSError) {
        guard let raw = unsafe X509_new() else { throw .openSSL("cannot make a certificate") }
        unsafe self.raw = raw
        let name = unsafe X509_get_subject_name(raw)
        // Fixed dates, so that a machine with a wrong clock makes the same certificate; the end is the date
        // that means "none" (RFC 5280, 4.1.2.5).
        let isMade =
            unsafe X509_set_version(raw, 2) == 1  // 2 is version 3
            && ASN1_INTEGER_set(X509_get_serialNumber(raw), 1) == 1
            && ASN1_TIME_set_string_X509(X509_getm_notBefore(raw), "20000101000000Z") == 1
            && ASN1_TIME_set_string_X509(X509_getm_notAfter(raw), "99991231235959Z") == 1
            && X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, "contactsync", -1, -1, 0) == 1
            && X509_set_issuer_name(raw, name) == 1
            && X509_set_pubkey(raw, key.raw) == 1
            && X509_sign(raw, key.raw, nil) > 0
        guard isMade else { throw .openSSL("cannot make a certificate") }
    }
}
