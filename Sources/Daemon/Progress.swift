/// How far some work has come, and how fast: told from looks at what remains.
struct Progress: Hashable {
    /// The rate is that of the last seconds, so that it tells when the rest is done.
    static let window: UInt64 = 10_000

    private(set) var done = 0
    private(set) var remaining = 0
    /// What was done at which time, milliseconds, oldest first.
    private var samples: [Sample] = []

    private struct Sample: Hashable {
        var time: UInt64
        var done: Int
    }

    var total: Int { done + remaining }

    /// Things done a second; nil until some time has passed.
    var rate: Double? {
        guard let first = samples.first, let last = samples.last, last.time >= first.time + 200 else {
            return nil
        }
        return Double(last.done - first.done) * 1000 / Double(last.time - first.time)
    }

    /// Takes note of what remains at a time, milliseconds of a clock that is never set.
    mutating func observe(remaining now: Int, at time: UInt64) {
        done += max(0, remaining - now)
        remaining = now
        // A sample a tenth of a second; the last one is always that of now.
        if samples.count > 1, time < samples[samples.count - 2].time + 100 { samples.removeLast() }
        samples.append(Sample(time: time, done: done))
        while samples.count > 2, samples[1].time + Self.window <= time { samples.removeFirst() }
    }
}
