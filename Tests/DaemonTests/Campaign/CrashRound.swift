import Foundation
import JSON
import TestSupport

/// One machine whose disk breaks or that is killed, another one that is well, and the users of both.
final class CrashRound {
    let world: World
    /// The machine in trouble.
    let a: Machine
    let b: Machine
    let faults: FaultControl
    var random: SeededGenerator
    var log = UserLog()
    private var knownHits = 0
    /// The kinds of calls that went wrong, and how.
    private(set) var hits: [String] = []

    init(_ world: World, seed: UInt64) throws {
        self.world = world
        random = SeededGenerator(seed: seed)
        let home = world.root + "/A"
        faults = try FaultControl(machine: home)
        var options = MachineOptions()
        options.obeysModes = true
        options.daemonEnvironment = try faults.environment(book: home + "/contacts")
        a = try world.add("A", options)
        b = try world.add("B")
        // Without proxies: what is between the two is well.
        for (machine, other) in [(a, b), (b, a)] {
            machine.peers = [Machine.Peer(name: other.name, id: try other.device(), port: other.port)]
            try machine.writeConfiguration()
        }
    }

    /// Runs a body in a round; a failure tells the story.
    static func with(seed: UInt64, again: String, _ body: (CrashRound) throws -> Void) throws {
        try World.with(places: Campaign.places) { world in
            let round = try CrashRound(world, seed: seed)
            do {
                try body(round)
                if Campaign.given("STORY") != nil {
                    print("\(again)\n  " + round.log.story.joined(separator: "\n  "))
                }
            } catch {
                let story = round.log.story.map { "\n      " + $0 }.joined()
                throw Failure("\(error)\n    again: \(again)\n    story:\(story)\n    in \(world.root)")
            }
        }
    }

    /// Starts both, lets users write contacts, and waits until both machines have all of them.
    ///
    /// - Parameter fault: what goes wrong at the first start of all, where nothing is known of anything.
    func begin(contacts: Int, _ fault: Fault? = nil) throws {
        if let fault {
            log.note("the first start: \(fault)")
            faults.arm(fault)
            try startInTrouble()
        } else {
            try a.start()
        }
        try b.start()
        for _ in 0..<contacts { try addFile(random.chance(0.5) ? a : b) }
        if try hasEnded() || a.daemon == nil {
            faults.disarm()
            try a.start()
        }
        try rest("at the beginning")
    }

    // MARK: Trouble

    /// Whether the machine was killed by us; throws if it ended in any other way.
    func hasEnded() throws -> Bool {
        guard let exit = a.daemon?.exit else { return a.daemon == nil }
        guard exit == 128 + SIGKILL else { throw Failure("A ended by itself (\(exit)): \(a.logEnd)") }
        a.kill9()
        return true
    }

    /// Waits for a fault that kills; kills now if it does not come.
    func awaitEnd(_ seconds: Double) throws {
        let deadline = Deadline(seconds)
        while try !hasEnded() {
            if deadline.isOver {
                log.note("A is killed")
                a.kill9()
                return
            }
            waitALittle(0.01)
        }
        noteHit("A was killed at")
    }

    /// Notes which call went wrong, if one did since the last time.
    func noteHit(_ what: String) {
        guard faults.hits > knownHits else { return }
        knownHits = faults.hits
        log.note("\(what) \(faults.lastHit)")
        hits.append("\(what) " + faults.lastHit.prefix { $0 != " " })
    }

    /// Starts the daemon while its disk may fail: it runs, is killed by us, or ends with a sentence.
    func startInTrouble() throws {
        do { try a.start() } catch {
            guard a.daemon == nil else { throw error }
            guard a.lastExit == 1 || a.lastExit == 128 + SIGKILL else { throw error }
            log.note("A did not start (\(a.lastExit ?? 0)): \(a.logEnd)")
        }
        noteHit("at the start")
    }

    /// Lets the users of both do some things.
    func users(_ count: Int) throws {
        for _ in 0..<count {
            try act(random.chance(0.6) ? a : b)
            if random.chance(0.6) { waitALittle(Double(random.below(40)) / 1000) }
        }
    }

    // MARK: Rest

    /// Waits until both machines are well, idle and equal, and all is as the log says.
    func rest(_ when: String, oneFileEach: Bool = true) throws {
        faults.disarm()
        try eventually("\(when): both machines are equal and at rest", within: 60) {
            _ = try hasEnded()
            return try unrest(oneFileEach)
        }
        try eventually("\(when): all is as users left it", within: 15) {
            if let why = try unrest(oneFileEach) { return why }
            for machine in [a, b] {
                let conflicts = JSONWriter.text(
                    try machine.ask("conflicts", ["book": .string(Machine.book)])
                )
                let files = machine.texts()
                if let why = log.difference(files: files, conflicts: conflicts) {
                    return "\(machine.name): \(why)"
                }
            }
            return nil
        }
        let verdict = try a.ask("verify", ["book": .string(Machine.book)])
        guard verdict["equal"]?.bool == true else {
            throw Failure("\(when): verify says \(JSONWriter.text(verdict).shortened(to: 300))")
        }
        log.rest(files: a.texts())
        log.note("at rest")
    }

    /// Whether all is done; not while the daemon is being killed.
    func isAtRest() throws -> Bool {
        do { return try unrest() == nil } catch {
            guard a.daemon == nil, a.lastExit != 128 + SIGKILL else { return false }
            throw error
        }
    }

    /// What is still under way, or wrong and to be named by the status.
    private func unrest(_ oneFileEach: Bool = true) throws -> String? {
        for machine in [a, b] {
            let status = try machine.status()
            if let failure = status["failure"]?.string { return "\(machine.name) fails: \(failure)" }
            let book = try machine.bookStatus(of: status)
            for key in ["held", "writeFailure", "complaints"] {
                if let value = book[key] { return "\(machine.name) \(key): \(JSONWriter.text(value))" }
            }
            guard status["inSync"]?.bool == true, book["state"]?.string == "idle" else {
                return "\(machine.name): \(JSONWriter.text(status).shortened(to: 700))"
            }
            if let aside = book["setAside"]?.array, !aside.isEmpty {
                return "\(machine.name) set aside \(JSONWriter.text(.array(aside)).shortened(to: 200))"
            }
            let people = try machine.people()
            let homes = people.compactMap(\.file).sorted()
            let names = machine.fileNames
            guard !oneFileEach || homes == names && Set(homes).count == homes.count else {
                return
                    "\(machine.name) has files \(names) for \(people.map { "\($0.brief) \($0.file ?? "-")" })"
            }
            for (name, text) in machine.texts() where (try? parsed(text)) == nil {
                return "\(machine.name): \(name) is no whole JSON: \(text.shortened(to: 100))"
            }
            let left = machine.leftovers
            guard left.isEmpty else { return "\(machine.name) left \(left)" }
        }
        return try world.difference(between: [a, b])
    }
}

extension Machine {
    /// The bytes of all visible files of the book.
    func texts() -> [String: String] {
        var texts: [String: String] = [:]
        for name in fileNames { texts[name] = bytes(of: name).map { String(decoding: $0, as: UTF8.self) } }
        return texts
    }

    /// What lies in the book's directory and is neither a contact nor the marker.
    var leftovers: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.filter { $0 != ".contactsync" && (!$0.hasSuffix(".json") || $0.hasPrefix(".")) }
    }
}
