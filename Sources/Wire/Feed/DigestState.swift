import JSON
import Replication

/// When totals are compared with one peer, what came of it, and when to give up.
struct DigestState: Sendable {
    private struct Totals: Hashable, Sendable {
        let ours: ContentHash
        let theirs: ContentHash
    }

    /// What a comparison of totals asks for.
    enum Verdict: Hashable, Sendable {
        case equal
        case compare(ComparisonPurpose)
        /// It is known and reported that these stay different.
        case nothing
    }

    /// Whether this side begins by itself: one of two is enough.
    private let leads: Bool
    /// Whether a digest is to be sent once there is rest.
    private(set) var isWanted: Bool
    /// Whether the rest timer runs.
    private(set) var isResting = false
    /// What we sent, while it is still true.
    private var sent: ContentHash?
    /// What the peer sent, until our total is read.
    private(set) var theirs: ContentHash?
    /// The total that both sides have now.
    private(set) var proven: ContentHash?
    private var last: Totals?
    private var comparisons = 0
    private var exchanges = 0

    init(leads: Bool) {
        self.leads = leads
        isWanted = leads
    }

    /// Records changed on one side: what was compared is no longer true.
    mutating func changed() {
        sent = nil
        proven = nil
        if leads { isWanted = true }
    }

    /// Ours may have changed without the peer's knowing: then this side asks, whichever of the two it is.
    mutating func wanted() { isWanted = true }

    /// A comparison ended that should have made both equal.
    mutating func healed() { if leads { isWanted = true } }

    mutating func rests() { isResting = true }

    /// The timer ran off; `mayAsk` if this is the moment for a digest. True if one is to be sent.
    mutating func rested(_ total: ContentHash, mayAsk: Bool) -> Bool {
        isResting = false
        guard mayAsk, isWanted else { return false }
        isWanted = false
        sent = total
        return true
    }

    /// The peer's digest came. True if our total is to be read; else we send ours when we are ready.
    mutating func arrived(_ total: ContentHash, mayCompare: Bool) -> Bool {
        guard mayCompare else {
            isWanted = true
            return false
        }
        let isReading = theirs != nil
        theirs = total
        return !isReading
    }

    /// The peer found our total to be its own.
    mutating func confirmed(_ total: ContentHash) { if sent == total { proven = total } }

    mutating func read(_ ours: ContentHash, mayCompare: Bool) -> Verdict {
        guard let theirs else { preconditionFailure("a total is given when it was asked for") }
        self.theirs = nil
        guard mayCompare else {
            isWanted = true
            return .nothing
        }
        if ours == theirs {
            proven = ours
            return .equal
        }
        proven = nil
        let totals = Totals(ours: ours, theirs: theirs)
        comparisons = totals == last ? comparisons + 1 : 1
        last = totals
        exchanges += 1
        guard comparisons <= WireLimits.comparisons, exchanges <= WireLimits.exchanges else {
            return .nothing
        }
        let isHopeless = comparisons == WireLimits.comparisons || exchanges == WireLimits.exchanges
        return .compare(isHopeless ? .report : .heal)
    }
}
