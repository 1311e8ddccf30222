import Foundation
import Glibc
import JSON
import TestSupport

/// What goes wrong in a phase of a round.
enum Trouble {
    /// The daemon is killed at a marked call.
    case killedAt(Fault)
    /// It is killed after so many steps of the users, at whatever it does then.
    case killedAfter(Int)
    /// Calls fail for a while.
    case failing(Fault)
    /// A directory of the machine, by its path below its home, cannot be written for a while.
    case readOnly(String)

    static func some(_ random: inout SeededGenerator) -> Trouble {
        let place: Fault.Place = random.chance(0.5) ? .everywhere : random.chance(0.6) ? .book : .state
        switch random.below(20) {
        case 0...8:
            // Most calls are writes of the database; the others have their turn too.
            let kinds: Fault.Kinds = random.chance(0.4) ? .all : [.create, .sync, .name, .remove]
            let range = kinds == .all && place != .book && random.chance(0.5) ? 90 : 15
            return .killedAt(
                Fault(
                    kinds: kinds,
                    action: random.chance(0.6) ? .killBefore : .killHalf,
                    place: place,
                    first: 1 + random.below(range)
                )
            )
        case 9...11: return .killedAfter(random.below(8))
        case 12...18:
            // What a disk says: full, broken, read-only; once, for some calls, or until somebody sees to it.
            let troubles: [(CInt, Fault.Kinds)] = [
                (ENOSPC, [.create, .write]), (ENOSPC, [.create, .write, .name]), (EIO, .sync),
                (EIO, .name),
                (EIO, .write), (EIO, .all), (EROFS, .all), (EIO, .remove), (EDQUOT, [.create, .write]),
            ]
            let (error, kinds) = troubles[random.below(troubles.count)]
            let count = [1, 1, 3, 10, Int.max / 2].randomElement(using: &random) ?? 1
            return .failing(
                Fault(
                    kinds: kinds,
                    action: kinds.contains(.write) && random.chance(0.4) ? .short : .fail,
                    error: error,
                    place: place,
                    first: 1 + random.below(30),
                    count: count
                )
            )
        default: return .readOnly(random.chance(0.7) ? "contacts" : "state/trash")
        }
    }
}

extension Fault {
    /// One that is over by itself, or ends the daemon.
    static func some(_ random: inout SeededGenerator) -> Fault {
        let action: Action = [.fail, .short, .killBefore, .killHalf][random.below(4)]
        return Fault(
            action: action,
            error: [ENOSPC, EIO, EROFS][random.below(3)],
            first: 1 + random.below(60),
            count: random.chance(0.5) ? 1 : 5
        )
    }
}

extension CrashRound {
    /// The users work while the trouble comes; then the machine is well again, and all must be as they left it.
    func phase(_ number: Int) throws {
        let trouble = Trouble.some(&random)
        log.note("phase \(number): \(trouble)")
        switch trouble {
        case .killedAt(let fault):
            faults.arm(fault)
            try users(3 + random.below(8))
            try awaitEnd(0.6)
            try comeBack()
        case .killedAfter(let count):
            try users(count)
            waitALittle(Double(random.below(60)) / 1000)
            log.note("A is killed")
            a.kill9()
            try users(random.below(4))
            try comeBack()
        case .failing(let fault):
            faults.arm(fault)
            try users(3 + random.below(6))
            try live(isLasting: fault.count > 1000, fault.action)
            faults.disarm()
        case .readOnly(let path):
            let path = a.home + "/" + path
            guard let mode = Machine.mode(of: path) else { break }
            unsafe chmod(path, mode & 0o555)
            defer { unsafe chmod(path, mode) }
            try users(3 + random.below(6))
            try live(isLasting: false)
        }
        if a.daemon == nil { try a.start() }
        try rest("phase \(number)")
    }

    /// The machine is down; its users go on. Then it starts, sometimes into more trouble.
    private func comeBack() throws {
        if random.chance(0.5) { try users(random.below(4)) }
        while random.chance(0.4) {
            faults.arm(
                Fault(action: random.chance(0.5) ? .killBefore : .killHalf, first: 1 + random.below(60))
            )
            try startInTrouble()
            if a.daemon != nil {
                try users(random.below(3))
                try awaitEnd(0.3)
            }
        }
        faults.disarm()
    }

    /// The daemon's disk fails: it lives, is not busy with that, and says so if that is to stay.
    private func live(isLasting: Bool, _ action: Fault.Action = .fail) throws {
        noteHit("failed:")
        let hits = faults.hits
        let before = try a.processorTime()
        let start = ContinuousClock.now
        waitALittle(0.2 + Double(random.below(900)) / 1000)
        guard try !hasEnded() else { throw Failure("a failing disk ended A") }
        let status = try a.status()
        if isLasting, faults.hits > 0, status["inSync"]?.bool == false {
            // It has something to do and cannot: a person must hear of it.
            try eventually("the status says that the disk fails (\(faults.lastHit))", within: 10) {
                let status = try a.status()
                let book = try a.bookStatus(of: status)
                if status["failure"]?.string != nil || book["writeFailure"] != nil || book["held"] != nil {
                    return nil
                }
                if status["inSync"]?.bool == true { return nil }
                return JSONWriter.text(status).shortened(to: 900)
            }
        }
        let wall = (ContinuousClock.now - start) / .seconds(1)
        let busy = try a.processorTime() - before
        let count = faults.hits - hits
        // Of what is written half, half and half again many calls are made, all with some success.
        guard busy < 0.3 + wall * 0.5, count < 300 + Int(100 * wall) || action == .short else {
            throw Failure("A is busy with a failing disk: \(busy) s and \(count) calls in \(wall) s")
        }
        if random.chance(0.2) {
            log.note("A is killed while its disk fails (\(faults.lastHit))")
            a.kill9()
            if random.chance(0.5) { try startInTrouble() }
        }
    }
}

extension CrashRound {
    /// A fixed round in which every kind of marked call is made, with a fault at one of them.
    ///
    /// - Returns: how many marked calls were made.
    func fixed(_ fault: Fault?) throws -> Int {
        try begin(contacts: 7)
        let before = faults.calls
        if let fault { faults.arm(fault) }
        let steps: [(Machine, Step)] = [
            (b, .editFile), (b, .addFile), (b, .removeFile), (a, .editFile), (a, .addFile), (a, .removeFile),
            (a, .merge), (b, .editFile), (a, .add), (b, .remove), (a, .renameFile), (a, .swapFiles),
            (b, .merge), (a, .editFile), (b, .unmerge),
        ]
        for (machine, step) in steps {
            try act(machine, step)
            waitALittle(0.01)
            if machine === a { _ = try hasEnded() }
        }
        switch fault?.action {
        case .killBefore, .killHalf:
            // The last calls come when the deletions have been seen twice.
            let deadline = Deadline(4)
            while try !hasEnded(), !deadline.isOver, try !isAtRest() { waitALittle() }
            noteHit("A was killed at")
        case .fail, .short:
            try waitUntil("the fault comes, or rest", within: 20) { try faults.hits > 0 || isAtRest() }
            noteHit("failed:")
            guard try !hasEnded() else { throw Failure("a failing call ended A") }
        case .stall, nil: break
        }
        faults.disarm()
        if a.daemon == nil { try a.start() }
        try rest("in the end")
        return faults.calls - before
    }
}

extension Machine {
    /// What the daemon has used of the processor so far, in seconds.
    func processorTime() throws -> Double {
        guard let daemon,
            let text = try? String(
                contentsOfFile: "/proc/\(daemon.process.processIdentifier)/stat",
                encoding: .utf8
            ),
            let rest = text.split(separator: ")").last
        else { return 0 }
        // proc(5): utime and stime are the 14th and 15th; the name in parentheses is the second.
        let words = rest.split(separator: " ")
        return words[11...12].compactMap { Double($0) }.reduce(0, +) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
