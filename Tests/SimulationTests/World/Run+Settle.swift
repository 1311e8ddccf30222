import AddressBook
import Controllers

/// Healing, and the look at all claims.
extension Run {
    /// Longer than any retry, milliseconds.
    private static let patience: UInt64 = 600_000

    /// Brings everything back together and looks whether all that must hold does.
    func settle() throws {
        try heal()
        try Claims(self).afterHealing()
        try restartAll()
        oracle.endRound(world.machines[0].life.map { Shown.persons($0.list) } ?? [])
    }

    private func heal() throws {
        meet()
        for machine in world.machines {
            machine.folder.moveBack()
            for (name, bytes) in machine.halfWritten { machine.folder.save(name, bytes, inPlace: true) }
            machine.halfWritten = [:]
            machine.editors = []
            try machine.start(world)
        }
        // What the watch missed is found by a scan.
        world.timeline.run(for: 100)
        for machine in world.machines {
            machine.life?.directory.rescan()
            machine.life?.wake()
        }
        try untilIdle()
    }

    /// Lets time pass until nothing is under way.
    private func untilIdle() throws {
        let end = world.timeline.now + Self.patience
        var isQuiet = 0
        while isQuiet < 3 {
            world.dial()
            let before = world.activity
            world.timeline.run(for: 700)
            isQuiet = world.isIdle && world.activity == before ? isQuiet + 1 : 0
            if world.timeline.now > end { throw BrokenClaim("it does not become quiet: \(business)") }
            guard world.activity == before else { continue }
            for machine in world.machines where machine.life?.isHeld ?? false {
                let deletes = world.bits() % 2 == 0
                if !deletes { oracle.doubt() }
                world.note("resume on \(machine.name), deleting: \(deletes)")
                oracle.believed(machine.life.map { Shown.pending($0) } ?? [])
                machine.life?.resume(deleting: deletes)
            }
        }
    }

    private var business: String {
        let lives = world.machines.map { machine in
            guard let life = machine.life else { return "\(machine.name) is down" }
            let directory = life.directory
            return
                "\(machine.name): \(directory.state), list \(life.list.isIdle), committer \(life.committer.isIdle), "
                + "\(directory.standing), failure \(directory.writeFailure ?? "-"), held \(life.list.held.count)"
        }
        let links = world.links.map { link in
            "\(link.ends.map { "\($0.machine.name) \($0.isOpen) \($0.feed?.isCaughtUp ?? false)" }) empty \(link.isEmpty)"
        }
        return (lives + links).joined(separator: "; ")
    }

    /// A second pass: everything starts anew, looks at everything, and has nothing to say.
    private func restartAll() throws {
        let written = world.machines.map(\.folder.daemonWrites)
        for machine in world.machines {
            machine.crash(powerCut: false)
            try machine.start(world)
        }
        try untilIdle()
        for (machine, before) in zip(world.machines, written) {
            let rows = machine.life?.store.recordsWritten ?? 0
            let files = machine.folder.daemonWrites - before
            if rows > 0 || files > 0 {
                throw BrokenClaim(
                    "a second pass on \(machine.name) writes \(rows) records and \(files) files"
                )
            }
        }
        let before = world.activity
        world.timeline.run(for: 60_000)
        if world.activity != before { throw BrokenClaim("it is not silent: \(before) is \(world.activity)") }
    }
}
