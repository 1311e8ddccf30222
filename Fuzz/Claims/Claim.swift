/// What must hold for any bytes at all, by the room that reads them; a claim that does not hold traps.
///
/// The fuzzer searches for bytes that break one, and the tests replay what it has kept.
package enum Claim: String, CaseIterable, Sendable {
    /// Frames come out whole, whatever the pieces, and can be written again.
    case frames
    /// A message that is read can be written, and is read again as itself.
    case messages
    /// Whatever is said before login, at most one login comes of it, after a hello.
    case login
    /// Whoever stands between two machines that pair: nobody is trusted, and no book named, without a person's word or the secret.
    case pairing
    /// A text that is read can be written and is read again as itself; items lie where they are said to lie.
    case json
    /// A file of contacts becomes records and cards, and these are stable.
    case cards
    /// A line on the socket is a request or is answered with its flaw.
    case requests
    /// A hostile peer speaks whole runs to a list: what it may not write stays, and the honest pair ends equal.
    case runs

    /// Traps if the claim does not hold for these bytes.
    package func check(_ bytes: [UInt8]) {
        switch self {
        case .frames: checkFrames(bytes)
        case .messages: checkMessages(bytes)
        case .login: checkLogin(bytes)
        case .pairing: checkPairing(bytes)
        case .json: checkJSON(bytes)
        case .cards: checkCards(bytes)
        case .requests: checkRequests(bytes)
        case .runs: HostileRun(bytes).check()
        }
    }
}
