import FoundationEssentials
import Testing

@Suite struct SimulationTests {
    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    @Test func nothingIsLostAndAllEndEqual() throws {
        let first = Self.number("SEED") ?? 1
        let count = Self.number("SEED") != nil ? 1 : Self.number("SEEDS") ?? 2
        for seed in first..<(first + count) {
            let simulation = Simulation(seed: seed)
            guard let failure = simulation.failure() else { continue }
            // Shrinking takes hundreds of runs: only for the one seed that somebody asks about.
            Issue.record("\(Self.number("SEED") == nil ? failure : simulation.shrunk(failure))")
        }
    }
}
