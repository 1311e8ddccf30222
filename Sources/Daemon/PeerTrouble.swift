/// What keeps a peer away, as a word for the status; the sentence stands beside it.
enum PeerTrouble: String {
    /// Nobody answers at its address, or the name of it is not known.
    case unreachable
    /// Something answers at its address and does not log in.
    case silent
    /// Something answers at its address that does not speak TLS 1.3.
    case noTLS = "no-tls"
    /// A machine with another key than the configured one answers at its address.
    case otherKey = "other-key"
    /// Its address is our own.
    case ourselves
    /// It does not know our key.
    case refusedThere = "refused-there"
    /// It speaks no version of the protocol that we do.
    case version
    /// A connection broke, or the peer ended it.
    case lost

    /// Whether one of the two does not know the other's key: trying again mends nothing.
    var isRefusal: Bool { self == .refusedThere || self == .otherKey }
}
