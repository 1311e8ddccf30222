extension Simulation {
    /// The same failure with fewer steps: whatever can be left out is, in pieces that become smaller.
    ///
    /// - Parameter limit: how many runs that may take.
    func shrunk(_ failure: Failure, limit: Int = 400) -> Failure {
        var best = failure
        var runs = 0
        var size = max(1, best.steps.count / 2)
        while size > 0, runs < limit {
            var at = 0
            var wasDropped = false
            while at < best.steps.count, runs < limit {
                var steps = best.steps
                steps.removeSubrange(at..<min(at + size, steps.count))
                runs += 1
                if let still = self.failure(of: steps), still.kind == best.kind {
                    best = still
                    wasDropped = true
                } else {
                    at += size
                }
            }
            if !wasDropped || size > 1 { size = size > 1 ? size / 2 : 0 }
        }
        return best
    }
}

extension Simulation.Failure {
    /// Which claim it was, without what it was about.
    var kind: String { String(claim.prefix(12)) }
}
