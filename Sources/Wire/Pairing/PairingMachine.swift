/// How two machines that do not know each other get to trust each other's keys: by six digits that two people compare,
/// as in Bluetooth's Secure Simple Pairing (Core Specification, Vol 2, Part H, 7.2.1), or by an invitation.
///
/// It stands at one end of a TLS session whose keys nobody vouches for. Nothing of the other side counts before
/// `paired`.
package struct PairingMachine: Sendable {
    /// What to do now, in order.
    package enum Action: Hashable, Sendable {
        /// Send it.
        case send(PairingMessage)
        /// Show the digits to the person and tell `answered`. Our nonce is known to the other side from here on.
        case ask(digits: String)
        /// Both agree: the other side offers this, and had this secret if it was invited. Store, then close.
        case paired(PairingOffer, secret: [UInt8]?)
        /// It came to nothing: send the bye, if there is one, and close.
        case failed(PairingFailure, bye: PairingMessage?)
    }

    /// How the dialling side wants to be trusted.
    package enum Way: Hashable, Sendable {
        /// People compare digits.
        case digits
        /// It has the secret of an invitation.
        case invitation(secret: [UInt8])
    }

    private enum State: Sendable {
        /// Dialled, nothing said yet.
        case dialled(Way, PairingOffer)
        /// `compare` is sent; the commitment comes.
        case asking(PairingOffer)
        /// Our nonce is sent; the other's comes, and must fit its commitment.
        case revealing(PairingOffer, commitment: [UInt8])
        /// The proof is sent; the other's agreement comes.
        case proving
        /// Accepted; the first message comes.
        case waiting(Openings)
        /// Our commitment is sent; the other's nonce comes.
        case committed(PairingOffer)
        /// The digits are shown.
        case comparing(Comparing)
        /// Paired or failed.
        case over
    }

    /// Ways in which a waiting side can be paired with.
    private struct Openings: Sendable {
        let digits: PairingOffer?
        let invitations: [[UInt8]: PairingOffer]
    }

    private struct Comparing: Sendable {
        let ours: PairingOffer
        var isConfirmedHere = false
        var theirs: PairingOffer?
    }

    private let transcript: PairingTranscript
    private let nonce: [UInt8]
    private var state: State

    /// The side that dialled.
    ///
    /// - Parameters:
    ///   - offer: what we tell the other side once the person here agrees; with an invitation at once.
    ///   - nonce: random, fresh.
    package init(_ transcript: PairingTranscript, by way: Way, offer: PairingOffer, nonce: [UInt8]) {
        self.init(transcript, nonce, .dialled(way, offer))
    }

    /// The side that waited.
    ///
    /// - Parameters:
    ///   - digits: what we offer to whom a person compares digits with; nil if nobody waits here to do so.
    ///   - invitations: the secrets of those that are open, and what we offer to whoever has one.
    ///   - nonce: random, fresh.
    package init(
        _ transcript: PairingTranscript,
        digits: PairingOffer?,
        invitations: [[UInt8]: PairingOffer],
        nonce: [UInt8]
    ) {
        self.init(transcript, nonce, .waiting(Openings(digits: digits, invitations: invitations)))
    }

    private init(_ transcript: PairingTranscript, _ nonce: [UInt8], _ state: State) {
        precondition(nonce.count == PairingTranscript.nonceBytes, "a nonce has its length")
        self.transcript = transcript
        self.nonce = nonce
        self.state = state
    }

    /// Whether the digits are shown and nothing is decided yet.
    package var isComparing: Bool { if case .comparing = state { true } else { false } }

    /// TLS stands: the dialling side speaks first.
    package mutating func begin() -> [Action] {
        guard case .dialled(let way, let offer) = state else { return [] }
        switch way {
        case .digits:
            state = .asking(offer)
            return [.send(.compare)]
        case .invitation(let secret):
            state = .proving
            return [.send(.proof(transcript.proof(of: secret), offer))]
        }
    }

    /// The other side said something.
    package mutating func received(_ message: PairingMessage) -> [Action] {
        switch (state, message) {
        case (.over, _): return []
        case (_, .bye(let reason)):
            state = .over
            return [.failed(.endedThere(reason: reason), bye: nil)]
        case (.waiting(let openings), .compare):
            guard let offer = openings.digits else { return fail(.nobodyWaits) }
            state = .committed(offer)
            return [.send(.commitment(transcript.commitment(to: nonce)))]
        case (.waiting(let openings), .proof(let proof, let theirs)):
            // Compared as a whole: a secret of 128 bits is not found by watching how long that takes, as the proof
            // is a hash of it and of a session that nobody can repeat.
            guard
                let (secret, offer) = openings.invitations.first(where: {
                    transcript.proof(of: $0.key) == proof
                })
            else { return fail(.unknownInvitation) }
            state = .over
            return [.send(.confirm(offer)), .paired(theirs, secret: secret)]
        case (.asking(let offer), .commitment(let commitment)):
            state = .revealing(offer, commitment: commitment)
            return [.send(.nonce(nonce))]
        case (.committed(let offer), .nonce(let theirs)):
            state = .comparing(Comparing(ours: offer))
            let digits = transcript.digits(diallers: theirs, waiters: nonce)
            return [.send(.nonce(nonce)), .ask(digits: digits)]
        case (.revealing(let offer, let commitment), .nonce(let theirs)):
            guard transcript.commitment(to: theirs) == commitment else { return fail(.brokenCommitment) }
            state = .comparing(Comparing(ours: offer))
            return [.ask(digits: transcript.digits(diallers: nonce, waiters: theirs))]
        case (.comparing(var comparing), .confirm(let theirs)) where comparing.theirs == nil:
            comparing.theirs = theirs
            return settle(comparing)
        case (.proving, .confirm(let theirs)):
            state = .over
            return [.paired(theirs, secret: nil)]
        default:
            return fail(.outOfTurn(reason: "a message out of turn"))
        }
    }

    /// The person has looked at the digits.
    package mutating func answered(_ isEqual: Bool) -> [Action] {
        guard case .comparing(var comparing) = state, !comparing.isConfirmedHere else { return [] }
        guard isEqual else { return fail(.declinedHere) }
        comparing.isConfirmedHere = true
        return [.send(.confirm(comparing.ours))] + settle(comparing)
    }

    /// What came is no message.
    package mutating func broke(_ error: WireError) -> [Action] {
        if case .over = state { return [] }
        return fail(.outOfTurn(reason: Reason.line(error.description)))
    }

    private mutating func settle(_ comparing: Comparing) -> [Action] {
        guard comparing.isConfirmedHere, let theirs = comparing.theirs else {
            state = .comparing(comparing)
            return []
        }
        state = .over
        return [.paired(theirs, secret: nil)]
    }

    private mutating func fail(_ failure: PairingFailure) -> [Action] {
        state = .over
        return [.failed(failure, bye: .bye(reason: failure.bye))]
    }
}
