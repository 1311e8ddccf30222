/// Why two machines did not pair.
package enum PairingFailure: Error, Hashable, Sendable {
    /// The person here did not confirm the digits.
    case declinedHere
    /// The other side ended it, and says why.
    case endedThere(reason: String)
    /// The other side's nonce is not the one that it had committed to: somebody cheats.
    case brokenCommitment
    /// No open invitation has this secret: it is wrong, used, or expired.
    case unknownInvitation
    /// Nobody waits here to compare digits, only invitations are open.
    case nobodyWaits
    /// Nothing is shared by both offers.
    case nothingShared(here: [String], there: [String])
    /// The connection ended, or never stood; a sentence.
    case lost(reason: String)
    /// A message that may not come now, or is none.
    case outOfTurn(reason: String)
}

extension PairingFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .declinedHere: "the digits were not confirmed here"
        case .endedThere(let reason): "the other side says: \(reason)"
        case .brokenCommitment: "the other side broke its commitment; somebody may sit between the machines"
        case .unknownInvitation: "there is no such invitation: it is wrong, was used already, or has expired"
        case .nobodyWaits: "nobody waits there to compare digits; say `contactsync pair` there first"
        case .nothingShared(let here, let there):
            "no book has the same name on both: here \(Self.list(here)), there \(Self.list(there))"
        case .lost(let reason): reason
        case .outOfTurn(let reason): "the other side broke the rules of pairing: \(reason)"
        }
    }

    private static func list(_ books: [String]) -> String {
        books.isEmpty ? "none" : books.joined(separator: ", ")
    }

    /// What the other side is told.
    package var bye: String {
        switch self {
        case .declinedHere: "the digits were not confirmed"
        case .outOfTurn(let reason): reason
        default: description
        }
    }
}
