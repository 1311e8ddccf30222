/// What one connection may have worked off in one turn of the loop, before all others have theirs.
package struct TurnShare: Sendable {
    private var left = WireLimits.turnBytes

    package init() {}

    /// Whether one more frame may be worked off.
    package var isLeft: Bool { left > 0 }

    /// A frame with so many bytes of payload was taken; the last one of a turn may be as large as any.
    package mutating func took(_ bytes: Int) { left -= bytes }
}
