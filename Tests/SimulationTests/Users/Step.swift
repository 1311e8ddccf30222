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
        /// A file with several contacts is saved, some of them without uid.
        case addSeveral(UInt64)
        /// One of several contacts is taken out of its file.
        case removeItem(UInt64, UInt64)
        case rename(UInt64)
        /// An older version of some file is put back.
        case restoreBackup(UInt64)
        case copy(UInt64)
        case crash(powerCut: Bool)
        /// It ends while something is on its way to the database or the disk.
        case crashWhileBusy(powerCut: Bool)
        case start
        case backUp
        case rollBack(UInt64)
        case loseDatabase
        case setClock(Int64)
        case cut(UInt64)
        case stall(UInt64)
        /// A machine dials although it is connected: what is on its way on the old connection still comes, for a while.
        case redial(UInt64)
        case part(UInt64)
        /// A machine reaches no other any more.
        case leave
        case meet
        case moveAway(leavingEmpty: Bool)
        case moveBack
        case rescan
        case removeByCommand(UInt64)
        case restoreByCommand
        case merge(UInt64, UInt64)
        case distinguish(UInt64, UInt64)
        case unmerge(UInt64, UInt64)
        /// Whether a number is no one's own is said.
        case share(UInt64, isShared: Bool)
        /// One of the values that a conflict keeps, or a new one, is chosen.
        case resolve(UInt64, UInt64)
        /// Time passes, with whatever is running, parted, or down.
        case leap(days: UInt64)
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
            if round > 0, random.chance(0.15) {
                // A machine is away for longer than the deleted are kept, while all others and its own user go on.
                let away = random.below(machines)
                add(random.below(3000), away, random.chance(0.7) ? .leave : .crash(powerCut: false))
                for _ in 0..<(4 + random.below(8)) {
                    add(random.below(4000), random.below(machines), apart(&random))
                }
                add(random.below(3000), 0, .leap(days: 31 + UInt64(random.below(370))))
            }
            // Some rounds are calm, so that what must be gone can be said sharply.
            let isWild = random.chance(0.5)
            let isHasty = random.chance(0.5)
            if isWild, round > 0, random.chance(0.5) {
                // An editor is open while the same file is changed by others.
                let (machine, file) = (random.below(machines), random.next())
                add(random.below(3000), machine, .load(file))
                for _ in 0..<(1 + random.below(3)) {
                    add(random.below(1000), machine, .edit(file, random.next(), inPlace: false, isSeen: true))
                }
                add(100 + random.below(3000), machine, .saveLoaded(0, random.next()))
            }
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

    /// What users do while a machine is away.
    private static func apart(_ random: inout SeededGenerator) -> Act {
        let (a, b) = (random.next(), random.next())
        switch random.below(10) {
        case 0..<2: return .add(a)
        case 2..<6: return .edit(a, b, inPlace: random.chance(0.3), isSeen: true)
        case 6..<9: return .remove(a)
        default: return .removeItem(a, b)
        }
    }

    private static func act(_ random: inout SeededGenerator, isWild: Bool) -> Act {
        let (a, b) = (random.next(), random.next())
        // Those from 90 on are for wild rounds.
        switch random.below(isWild ? 114 : 90) {
        case 0..<14: return .add(a)
        case 14..<42: return .edit(a, b, inPlace: random.chance(0.3), isSeen: !random.chance(0.05))
        case 42..<46: return .remove(a)
        case 46..<48: return .rename(a)
        case 48..<50: return .crash(powerCut: random.chance(0.5))
        case 50..<53: return .crashWhileBusy(powerCut: random.chance(0.5))
        case 53..<60: return .start
        case 60..<64: return .cut(a)
        case 64..<66: return .stall(a)
        case 66..<68: return .part(a)
        case 68..<71: return .meet
        case 71..<73: return .halfSave(a, b)
        case 73..<75: return .rescan
        case 75..<76: return .merge(a, b)
        case 76..<77: return .distinguish(a, b)
        case 77..<79: return .backUp
        case 79..<82: return .addSeveral(a)
        case 82..<84: return .removeItem(a, b)
        case 84..<86: return .redial(a)
        case 86: return .share(a, isShared: random.chance(0.5))
        case 87..<89: return .resolve(a, b)
        case 89: return .unmerge(a, b)
        case 90..<94: return .load(a)
        case 94..<98: return .saveLoaded(a, b)
        case 98..<100: return .restoreBackup(a)
        case 100: return .copy(a)
        case 101..<104: return .rollBack(a)
        case 104: return .loseDatabase
        case 105..<107:
            return .setClock((random.chance(0.5) ? 1 : -1) * Int64(random.below(3_000_000)) * 100_000)
        case 107: return .moveAway(leavingEmpty: random.chance(0.5))
        case 108: return .moveBack
        case 109..<111: return .removeByCommand(a)
        case 111: return .leap(days: 20 + a % 60)
        default: return .restoreByCommand
        }
    }
}
