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
        var run: Run?
        do {
            let new = try Run(steps, seed: seed, machines: machines, fault: fault?())
            run = new
            try new.go()
            return nil
        } catch {
            return Failure(seed: seed, claim: "\(error)", steps: steps, trace: run?.world.trace ?? [])
        }
    }
}
