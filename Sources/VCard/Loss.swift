/// Something that a conversion could not keep.
package struct Loss: Hashable, Sendable {
    /// The property of the vCard, or the path in the Card.
    package let property: String
    /// A clause for people, without a full stop.
    package let reason: String
}
