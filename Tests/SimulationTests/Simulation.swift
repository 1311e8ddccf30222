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
            "seed \(seed): \(claim)\nreplay with SEED=\(seed); \(steps.count) steps:\n"
                + trace.joined(separator: "\n")
        }
    }

    private var machines: Int { 2 + Int(seed % 3) }

    func failure() -> Failure? {
        failure(of: Step.plan(seed: seed, machines: machines, rounds: rounds))
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
