import AddressBook
import Controllers
import JSON
import Replication
import TestSupport
import Wire

/// Several machines, their network, and virtual time: all that a seed moves.
final class World {
    let timeline = Timeline()
    let hash: HashFunction
    let fault: Fault?
    private(set) var machines: [Machine] = []
    private(set) var links: [Link] = []
    /// Pairs of machines that cannot reach each other.
    var parted: Set<[String]> = []
    private let random: Bits
    private(set) var trace: [String] = []
    /// Records that comparisons found to differ, ever.
    private(set) var healed = 0

    init(seed: UInt64, machines count: Int, fault: Fault?) throws {
        random = Bits(seed: seed)
        self.fault = fault
        hash = .test
        let limit = random.next() % 2 == 0 ? 100 : 30
        for at in 0..<count {
            let folder = MemoryFolder(timeline, hash: hash, fault: fault, seed: random.next())
            machines.append(
                Machine(String("abcde".dropFirst(at).prefix(1)), folder: folder, deletionLimit: limit)
            )
        }
        for machine in machines {
            machine.folder.trace = { [weak self, name = machine.name] in self?.note("\(name)\($0)") }
            try machine.start(self)
        }
    }

    deinit { timeline.end() }

    func bits() -> UInt64 { random.next() }

    func note(_ text: @autoclosure () -> String) {
        trace.append("\(timeline.now): \(text())")
    }

    /// Who is not connected dials, if it can.
    func dial() {
        for (at, a) in machines.enumerated() {
            for b in machines[(at + 1)...] where a.life != nil && b.life != nil {
                guard !parted.contains([a.name, b.name]) else { continue }
                if let old = link(a, b) {
                    guard !old.isWhole || old.ends[0].life !== a.life || old.ends[1].life !== b.life else {
                        continue
                    }
                    // Whoever still holds the old one closes it for the new.
                    old.end(0)
                    old.end(1)
                }
                join(a, b)
            }
        }
    }

    /// A new connection in the place of one that works: each side ends the old one when it has the new.
    func redial(_ old: Link) {
        let (a, b) = (old.ends[0], old.ends[1])
        guard old.isWhole, a.life === a.machine.life, b.life === b.machine.life else { return }
        join(a.machine, b.machine, after: old)
        old.isStalled = false
    }

    private func join(_ a: Machine, _ b: Machine, after old: Link? = nil) {
        links.removeAll { $0.ends[0].machine === a && $0.ends[1].machine === b }
        let link = Link(a, b, timeline, fault: fault, seed: bits())
        link.former = old
        link.trace = { [weak self] text in self?.note(text) }
        link.onHeal = { [weak self] records in
            self?.healed += records.count
            self?.note("healed: \(records.map(\.shown))")
        }
        links.append(link)
        link.open()
    }

    /// Two machines cannot reach each other any more.
    func part(_ a: Machine, _ b: Machine) {
        link(a, b)?.cut()
        parted.insert([a.name, b.name])
    }

    /// A machine can reach no other any more.
    func isolate(_ machine: Machine) {
        for (at, a) in machines.enumerated() {
            for b in machines[(at + 1)...] where a === machine || b === machine { part(a, b) }
        }
    }

    func link(_ a: Machine, _ b: Machine) -> Link? {
        links.first { $0.ends[0].machine === a && $0.ends[1].machine === b }
    }

    var isIdle: Bool {
        machines.allSatisfy { $0.life?.isIdle ?? false }
            && links.allSatisfy {
                $0.isWhole && $0.isEmpty && $0.ends.allSatisfy { $0.feed?.isCaughtUp ?? false }
            }
    }

    /// Frames that arrived and rows that were stored, ever: still for silence.
    var activity: [Int] {
        [
            links.reduce(0) { $0 + $1.delivered }, machines.reduce(0) { $0 + ($1.life?.store.commits ?? 0) },
            machines.reduce(0) { $0 + $1.folder.daemonWrites },
        ]
    }
}

extension RecordForm {
    /// Its text, for the trace.
    fileprivate var shown: String {
        switch self {
        case .value(let value): JSONWriter.text(value)
        case .text(let text): String(decoding: text, as: UTF8.self)
        }
    }
}
