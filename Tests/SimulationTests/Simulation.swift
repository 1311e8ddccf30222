/// One seed: its plan, carried out.
struct Simulation {
    let seed: UInt64
    var rounds = 5
    var fault: (() -> Fault)?

    /// Why a run failed.
    struct Failure: CustomStringConvertible {
        var seed: UInt64
        var claim: String
        var steps: [Step]
        var trace: [String]

        var description: String {
            "seed \(seed): \(claim)\nreplay with SEED=\(seed) STEPS=\(steps.map { "\($0.id)" }.joined(separator: ",")):\n"
                + trace.joined(separator: "\n")
        }
    }

    private var machines: Int { 2 + Int(seed % 3) }

    /// The steps of its plan, all or those with some IDs.
    func steps(_ ids: Set<Int>? = nil) -> [Step] {
        Step.plan(seed: seed, machines: machines, rounds: rounds).filter { ids?.contains($0.id) ?? true }
    }

    func failure() -> Failure? {
        failure(of: steps())
    }

    /// Why these steps fail; nil if they do not.
    func failure(of steps: [Step]) -> Failure? {
        var tally = Tally()
        return failure(of: steps, &tally)
    }

    /// The same, counted.
    func failure(of steps: [Step], _ tally: inout Tally) -> Failure? {
        var run: Run?
        defer { tally.add(steps.count, milliseconds: run?.world.timeline.now ?? 0) }
        do {
            let new = try Run(steps, seed: seed, machines: machines, fault: fault?())
            run = new
            try new.go()
            return nil
        } catch {
            return Failure(seed: seed, claim: "\(error)", steps: steps, trace: run?.world.trace ?? [])
        }
    }

    /// What was simulated.
    struct Tally: CustomStringConvertible {
        private var runs = 0
        private var steps = 0
        private var milliseconds: UInt64 = 0

        var description: String {
            "\(runs) runs, \(milliseconds / 3_600_000) simulated hours, \(steps) steps"
        }

        mutating func add(_ steps: Int, milliseconds: UInt64) {
            runs += 1
            self.steps += steps
            self.milliseconds += milliseconds
        }
    }
}
