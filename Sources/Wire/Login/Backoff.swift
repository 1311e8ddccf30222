/// How long to wait before dialling again.
package struct Backoff: Hashable, Sendable {
    /// The first wait, in milliseconds: a restarted peer is found at once.
    package static let shortest: UInt64 = 200
    /// The longest wait, in milliseconds: a peer that comes home is found within a minute.
    package static let longest: UInt64 = 60_000

    private var base = shortest

    package init() {}

    /// The next wait in milliseconds; doubles from call to call.
    ///
    /// - Parameter jitter: from 0 up to 1. Up to a quarter of the wait is taken off, so that two machines which
    ///   lost each other at one moment do not dial at one moment.
    package mutating func next(jitter: Double) -> UInt64 {
        precondition((0...1).contains(jitter), "jitter is a share")
        let wait = base - UInt64(Double(base) * jitter / 4)
        base = min(base * 2, Self.longest)
        return max(wait, Self.shortest)
    }

    /// After a login, a network change, or a command.
    package mutating func reset() { base = Self.shortest }
}
