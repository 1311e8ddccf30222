import TestSupport

/// One thing that happens to the machines; numbers are picks, taken modulo what there is to pick from.
struct Step: CustomStringConvertible {
    enum Act {
        /// A new card is saved.
        case add(UInt64)
        /// A file is loaded, changed and saved; in place or under a new inode, reported or not.
        case edit(UInt64, UInt64, inPlace: Bool, isSeen: Bool)
        /// A file is loaded into an editor that saves later.
        case load(UInt64)
        case saveLoaded(UInt64, UInt64)
        /// Half of a save is written; the rest comes at the end of the round.
        case halfSave(UInt64, UInt64)
        case remove(UInt64)
        case rename(UInt64)
        /// An older version of some file is put back.
        case restoreBackup(UInt64)
        case copy(UInt64)
        case crash(powerCut: Bool)
        case start
        case backUp
        case rollBack(UInt64)
        case loseDatabase
        case setClock(Int64)
        case cut(UInt64)
        case stall(UInt64)
        case part(UInt64)
        case meet
        case moveAway(leavingEmpty: Bool)
        case moveBack
        case rescan
        case removeByCommand(UInt64)
        case restoreByCommand
        case merge(UInt64, UInt64)
        case distinguish(UInt64, UInt64)
        /// The round ends: everything heals, all claims are looked at, time passes.
        case settle(days: UInt64)
    }

    /// Names the values it writes.
    var id: Int
    /// Milliseconds after the step before.
    var delay: UInt64
    var machine: Int
    var act: Act

    var description: String { "#\(id) +\(delay) ms, machine \("abcde".dropFirst(machine).prefix(1)): \(act)" }
}

extension Step {
    /// The steps of a seed: dense rounds, each with a flavour of its own.
    static func plan(seed: UInt64, machines: Int, rounds: Int) -> [Step] {
        var random = SeededGenerator(seed: seed)
        var steps: [Step] = []
        func add(_ delay: Int, _ machine: Int, _ act: Act) {
            steps.append(Step(id: steps.count, delay: UInt64(delay), machine: machine, act: act))
        }
        for round in 0..<rounds {
            // Some rounds are calm, so that what must be gone can be said sharply.
            let isWild = random.chance(0.5)
            let isHasty = random.chance(0.5)
            for _ in 0..<(round == 0 ? 8 : 6 + random.below(18)) {
                let delay = random.below(isHasty ? 60 : 4000)
                let machine = random.below(machines)
                let act =
                    round == 0 && random.chance(0.6) ? .add(random.next()) : act(&random, isWild: isWild)
                add(delay, machine, act)
            }
            add(random.below(3000), 0, .settle(days: random.chance(0.1) ? UInt64(random.below(400)) : 0))
        }
        return steps
    }

    private static func act(_ random: inout SeededGenerator, isWild: Bool) -> Act {
        let (a, b) = (random.next(), random.next())
        let wild = isWild ? 100 : 78
        switch random.below(wild) {
        case 0..<14: return .add(a)
        case 14..<42: return .edit(a, b, inPlace: random.chance(0.3), isSeen: !random.chance(0.05))
        case 42..<46: return .remove(a)
        case 46..<48: return .rename(a)
        case 48..<53: return .crash(powerCut: random.chance(0.5))
        case 53..<60: return .start
        case 60..<64: return .cut(a)
        case 64..<66: return .stall(a)
        case 66..<68: return .part(a)
        case 68..<71: return .meet
        case 71..<73: return .halfSave(a, b)
        case 73..<75: return .rescan
        case 75..<76: return .merge(a, b)
        case 76..<77: return .distinguish(a, b)
        case 77..<78: return .backUp
        case 78..<82: return .load(a)
        case 82..<86: return .saveLoaded(a, b)
        case 86..<88: return .restoreBackup(a)
        case 88..<89: return .copy(a)
        case 89..<91: return .rollBack(a)
        case 91..<92: return .loseDatabase
        case 92..<94:
            return .setClock((random.chance(0.5) ? 1 : -1) * Int64(random.below(3_000_000)) * 100_000)
        case 94..<95: return .moveAway(leavingEmpty: random.chance(0.5))
        case 95..<96: return .moveBack
        case 96..<98: return .removeByCommand(a)
        default: return .restoreByCommand
        }
    }
}
