/// How often something took how long, in the buckets that Prometheus reads.
struct Histogram {
    /// Upper bounds, seconds: from what nobody notices to what everybody does.
    static let bounds: [Double] = [
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60,
    ]

    /// By bucket, each counted in one only; the last has no bound.
    private(set) var counts = [UInt64](repeating: 0, count: bounds.count + 1)
    private(set) var sum = 0.0

    mutating func observe(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        observe(seconds: Double(seconds) + Double(attoseconds) * 1e-18)
    }

    mutating func observe(seconds: Double) {
        counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
        sum += seconds
    }
}
