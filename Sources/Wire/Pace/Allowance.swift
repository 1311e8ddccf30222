/// So many at once, and so many a second afterwards (a token bucket).
package struct Allowance: Hashable, Sendable {
    let perSecond: Int
    let burst: Int
    /// What is left, in thousandths.
    private var left: Int
    /// Milliseconds of a monotonic clock, at the last call.
    private var last: UInt64?

    package init(perSecond: Int, burst: Int) {
        self.perSecond = perSecond
        self.burst = burst
        left = burst * 1000
    }

    /// Takes one; false if there is none left.
    ///
    /// - Parameter now: milliseconds of a monotonic clock.
    package mutating func take(now: UInt64) -> Bool {
        // After a minute all is there again, whatever the numbers.
        let passed = Int(min(now - min(last ?? now, now), 60_000))
        last = now
        left = min(burst * 1000, left + passed * perSecond)
        guard left >= 1000 else { return false }
        left -= 1000
        return true
    }
}
