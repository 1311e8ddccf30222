/// A hybrid logical clock reading: milliseconds since 1970 in the upper 48 bits, a count in the lower 16.
///
/// It only chooses which of several concurrent values is shown. `zero` marks what a new database found in its
/// files and cannot date (DESIGN.md 3, "A new database").
package struct HybridTime: Hashable, Comparable, Sendable {
    package let bits: UInt64

    package init(bits: UInt64) { self.bits = bits }

    /// The time of what a first scan found.
    package static let zero = HybridTime(bits: 0)

    /// Milliseconds since 1970.
    package var milliseconds: UInt64 { bits >> 16 }

    package static func < (a: HybridTime, b: HybridTime) -> Bool { a.bits < b.bits }
}

/// Gives times that never go back, whatever the wall clock does.
package struct HybridClock: Sendable {
    /// The highest time given out or taken in; durable before what carries it is seen elsewhere.
    package private(set) var latest: HybridTime

    /// How far a peer's clock may be ahead of ours before it no longer pulls ours along: one day, in ms.
    package static let tolerance: UInt64 = 86_400_000

    package init(latest: HybridTime = .zero) { self.latest = latest }

    /// A time later than any before, at least the wall clock's.
    ///
    /// - Parameter now: the wall clock, milliseconds since 1970.
    package mutating func tick(now: UInt64) -> HybridTime {
        latest = HybridTime(bits: max(latest.bits + 1, now << 16, 1))
        return latest
    }

    /// Takes note of a time that came from elsewhere, unless it is too far ahead.
    package mutating func observe(_ time: HybridTime, now: UInt64) {
        guard time.milliseconds <= now + Self.tolerance else { return }
        latest = max(latest, time)
    }
}
