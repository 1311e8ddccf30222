/// What became of a card that was imported, or would become of it.
package enum ImportOutcome: Hashable, Sendable {
    /// It is a person of its own.
    case added
    /// It went to a person that was there, before or by an earlier card.
    case merged
    /// All that it says was known.
    case unchanged
}
