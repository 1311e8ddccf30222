import Glibc
import Synchronization
import TestSupport
import Testing

/// Sudden ends and failing disks, by the hundred. `ROUNDS=` many random rounds or `MINUTES=` long, `SEED=` for one
/// again; `EVERY=` for one call of the fixed round again.
@Suite("Crash campaign", .enabled(if: Campaign.isPossible))
struct CampaignTests {
    @Test(
        "Whatever the disk does and whenever the daemon is killed, nothing is lost, half-written or there twice"
    )
    func rounds() throws {
        guard Campaign.given("EVERY") == nil else { return }
        let seeds: Range<Int>
        if let seed = Campaign.given("SEED") {
            seeds = seed..<(seed + 1)
        } else {
            let first = Campaign.given("FIRST") ?? 1
            seeds =
                first..<(first
                + (Campaign.given("ROUNDS") ?? (Campaign.given("MINUTES") == nil ? 18 : 1_000_000)))
        }
        let campaign = Campaign()
        let result = campaign.run(seeds) { seed in
            try CrashRound.with(seed: UInt64(seed), again: "make crash SEED=\(seed)") { round in
                let isFirst = round.random.chance(0.2)
                try round.begin(
                    contacts: 6 + round.random.below(14),
                    isFirst ? Fault.some(&round.random) : nil
                )
                for phase in 0..<(1 + round.random.below(3)) { try round.phase(phase) }
                for hit in round.hits { campaign.note(hit) }
            }
        }
        for failure in result.failures { Issue.record("\(failure)") }
        print("\(result.count) rounds, \(result.failures.count) failed; \(campaign.tally)")
    }

    @Test("Nor is it when the daemon is killed, or the call fails, at any one of all marked calls")
    func everyCall() throws {
        guard Campaign.given("SEED") == nil, Campaign.given("FIRST") == nil else { return }
        let kinds: [(name: String, action: Fault.Action, error: Int32)] = [
            ("killed before", .killBefore, 0), ("killed half-way", .killHalf, 0), ("EIO", .fail, EIO),
            ("ENOSPC, short", .short, ENOSPC),
        ]
        let total = Mutex(0)
        try CrashRound.with(seed: 1, again: "make crash") { round in
            let calls = try round.fixed(nil)
            total.withLock { $0 = calls }
        }
        let calls = total.withLock { $0 }
        // Each call in a long run; in a short one so many of them, evenly.
        let isLong = Campaign.given("MINUTES") != nil || Campaign.given("ROUNDS") != nil
        // Odd, so that each kind of trouble has its turn.
        let stride = isLong ? 1 : kinds.count * calls / 12 | 1
        let every = Campaign.given("EVERY")
        let numbers = every.map { $0..<($0 + 1) } ?? 0..<(kinds.count * calls / stride)
        let campaign = Campaign()
        let result = campaign.run(numbers) { number in
            let at = every == nil ? number * stride : number
            let kind = kinds[at % kinds.count]
            let fault = Fault(action: kind.action, error: kind.error, first: 1 + at / kinds.count, count: 1)
            try CrashRound.with(seed: 1, again: "make crash EVERY=\(at)") { round in
                round.log.note("\(kind.name) at call \(fault.first)")
                _ = try round.fixed(fault)
                let hit = round.faults.lastHit.prefix { $0 != " " }
                campaign.note("\(kind.name) at \(hit)")
            }
        }
        for failure in result.failures { Issue.record("\(failure)") }
        print("\(calls) calls; \(result.count) rounds, \(result.failures.count) failed; \(campaign.tally)")
    }
}
