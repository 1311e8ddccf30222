/// Why a card in a file cannot be read, or why a text between cards is none.
package struct VCardError: Error, Hashable, Sendable {
    /// Counted from 1, as an editor counts: before unfolding.
    package let line: Int
    /// A clause for people, without a full stop.
    package let reason: String
}
