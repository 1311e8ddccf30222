/// What the book's record says in `@shared/<key>`: whether a number is no one's own.
///
/// Of concurrent ones yes counts before no, and no before found.
package enum SharedMark: String, Hashable, Sendable {
    /// A machine found a switchboard there.
    case found
    /// A person said that the number is someone's own.
    case no
    /// A person said that the number is no one's own.
    case yes
}
