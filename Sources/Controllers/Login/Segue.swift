/// A hand-over from one controller to the next, as iOS controllers do it.
///
/// Before it runs, the source prepares it: `prepare(for:sender:)` sets the destination's title, session and
/// delegate. The session ID travels by segue and by nothing else.
package struct Segue<Destination: AnyObject> {
    /// Which hand-over it is.
    package enum Identifier: String, Sendable {
        case login2contacts
        case contacts2add
    }

    package let identifier: Identifier
    package let destination: Destination

    package init(_ identifier: Identifier, to destination: Destination) {
        self.identifier = identifier
        self.destination = destination
    }
}
