import FoundationEssentials
import Testing

/// `SEED=` runs one seed, or its `STEPS=`, and makes its failure small; else `SEEDS=` many are run, or as many as
/// `MINUTES=` allow, from `START=` on.
@Suite struct SimulationTests {
    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    @Test func nothingIsLostAndAllEndEqual() throws {
        if let seed = Self.number("SEED") {
            let simulation = Simulation(seed: seed)
            let ids = ProcessInfo.processInfo.environment["STEPS"].map {
                Set($0.split(separator: ",").compactMap { Int($0) })
            }
            guard let failure = simulation.failure(of: simulation.steps(ids)) else { return }
            Issue.record("\(failure.claim); making it small")
            Issue.record("\(simulation.shrunk(failure))")
            return
        }
        let end = Self.number("MINUTES").map { ContinuousClock.now + .seconds(60 * Int($0)) }
        let count = Self.number("SEEDS") ?? (end == nil ? 2 : .max)
        let first = Self.number("START") ?? 1
        var seed = first
        var tally = Simulation.Tally()
        while seed - first < count, end.map({ ContinuousClock.now < $0 }) ?? true {
            let simulation = Simulation(seed: seed)
            if let failure = simulation.failure(of: simulation.steps(), &tally) { Issue.record("\(failure)") }
            seed += 1
        }
        print("Simulated: \(tally), seeds \(first)..<\(seed)")
    }

    /// Each fault is found by a seed that finds nothing without it; the search begins at the seed that found it when
    /// the fault was planted.
    @Test(arguments: Faults.all)
    func aPlantedFaultIsFound(_ fault: Faults.Planted) {
        let seeds = fault.seed..<(fault.seed + 60)
        let found = seeds.first { seed in
            Simulation(seed: seed, rounds: fault.rounds, fault: fault.plant).failure() != nil
                && Simulation(seed: seed, rounds: fault.rounds).failure() == nil
        }
        if Self.number("SEEDS") != nil || Self.number("MINUTES") != nil {
            print("Planted: \(fault.name); found by seed \(found.map { "\($0)" } ?? "none")")
        }
        #expect(found != nil, "\(fault.name) was not found in seeds \(seeds)")
    }
}
