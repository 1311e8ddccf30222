import JSON
import Replication
import TestSupport
import Testing
import Wire

@Suite("Feeds between machines")
struct FeedPairTests {
    private func fill(_ world: TestWorld, _ machine: Int, _ count: Int, prefix: String = "u") {
        for n in 0..<count { world.write(machine, "\(prefix)\(n)", "name \(n)") }
    }

    private func expectEqual(_ world: TestWorld) {
        for store in world.stores { #expect(store.records == world.stores[0].records) }
        #expect(world.isProvenEqual)
        #expect(world.errors.isEmpty)
    }

    @Test("two machines end equal, know it, and fall silent", arguments: UInt64(1)...8)
    func equal(seed: UInt64) throws {
        let world = TestWorld(machines: 2, seed: seed)
        fill(world, 0, 40)
        fill(world, 1, 30, prefix: "v")
        world.write(1, "u3", "another")
        let connection = world.connect(0, 1)
        world.run(steps: 20)
        fill(world, 0, 5, prefix: "w")
        world.run()
        expectEqual(world)
        let machine = try #require(world.machine(connection, at: 0))
        #expect(machine.isCaughtUp && machine.toSend == 0 && machine.toReceive == 0)
    }

    @Test("a change travels once: a batch, its ack, a digest and the answer")
    func oneChange() {
        let world = TestWorld(machines: 2, seed: 5)
        fill(world, 0, 3)
        world.connect(0, 1)
        world.run()
        world.forgetSent()
        world.write(1, "u1", "new")
        world.run()
        #expect(world.sent.map(\.kind) == [.batch, .ack, .digest, .equal])
        expectEqual(world)
    }

    @Test("after a reconnect only changes travel, whatever was lost", arguments: UInt64(1)...8)
    func reconnect(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let world = TestWorld(machines: 2, seed: seed)
        fill(world, 0, 300)
        world.cut(connectedOnce(world))
        world.forgetSent()
        fill(world, 0, 4, prefix: "w")
        fill(world, 1, 3, prefix: "x")
        for _ in 0..<6 {
            let connection = world.connect(0, 1)
            world.run(steps: random.below(15))
            world.cut(connection)
            world.run()
        }
        world.connect(0, 1)
        world.run()
        expectEqual(world)
        // Each of seven connections may carry the seven changes; the three hundred stay where they are.
        #expect(world.recordsSent <= 49)
    }

    private func connectedOnce(_ world: TestWorld) -> Int {
        let connection = world.connect(0, 1)
        world.run()
        expectEqual(world)
        return connection
    }

    @Test("a machine that went back is found out, and nothing is lost", arguments: UInt64(1)...4)
    func rollback(seed: UInt64) {
        let world = TestWorld(machines: 2, seed: seed)
        fill(world, 0, 10)
        world.cut(connectedOnce(world))
        let old = world.stores[0]
        fill(world, 0, 5, prefix: "w")
        world.write(0, "u1", "later")
        world.cut(connectedOnce(world))
        world.stores[0] = old
        world.stores[0].restart(seed: seed ^ 0xABCD)
        fill(world, 0, 6, prefix: "x")
        world.connect(0, 1)
        world.run()
        expectEqual(world)
        #expect(world.stores[0].records.count == 21)
    }

    @Test("three machines in a ring end equal and fall silent", arguments: UInt64(1)...6)
    func ring(seed: UInt64) {
        let world = TestWorld(machines: 3, seed: seed)
        for machine in 0..<3 { fill(world, machine, 10, prefix: "m\(machine)-") }
        for machine in 0..<3 { world.write(machine, "shared", "from \(machine)") }
        world.connect(0, 1)
        world.connect(1, 2)
        world.connect(2, 0)
        world.run(steps: 40)
        world.write(1, "shared", "later")
        world.run()
        expectEqual(world)
        world.forgetSent()
        world.write(0, "m0-1", "one edit")
        world.run()
        expectEqual(world)
        #expect(world.recordsSent <= 4)
    }

    @Test("what a faulty disk lost is found by digest and sent again", arguments: UInt64(1)...4)
    func healing(seed: UInt64) {
        let world = TestWorld(machines: 2, seed: seed)
        fill(world, 0, 400)
        world.cut(connectedOnce(world))
        for n in 0..<300 { world.stores[n.isMultiple(of: 3) ? 0 : 1].damage(UID("u\(n)")) }
        world.forgetSent()
        world.connect(0, 1)
        world.run()
        expectEqual(world)
        #expect(world.stores[0].records.count == 400)
        #expect(world.differs.isEmpty)
        #expect(world.sent.contains { $0.kind == .heal })
    }

    @Test("one exchange heals so many records, and one more takes another", arguments: [-1, 0, 1])
    func healLimit(beyond: Int) {
        let world = TestWorld(machines: 2, seed: 1)
        fill(world, 0, 400)
        world.cut(connectedOnce(world))
        for n in 0..<WireLimits.healRecords + beyond { world.stores[1].damage(UID("u\(n)")) }
        world.forgetSent()
        world.connect(0, 1)
        world.run()
        expectEqual(world)
        let healed = world.sent.compactMap { if case .heal(let heal) = $0 { heal } else { nil } }
        // The records of one exchange, and their end from either side.
        #expect(healed.count { $0.isLast } == (beyond > 0 ? 4 : 2))
        #expect(healed.allSatisfy { $0.records.count <= WireLimits.healRead })
    }

    @Test("what is refused is left out on both sides, and the pair is equal")
    func refused() {
        let world = TestWorld(machines: 2, seed: 3)
        world.stores[1].refuses = [UID("u2")]
        fill(world, 0, 5)
        world.connect(0, 1)
        world.run()
        #expect(world.isProvenEqual && world.errors.isEmpty)
        #expect(world.stores[1].records.count == 4)
        #expect(!world.sent.contains { $0.kind == .heal })
    }

    @Test("what cannot be healed is reported by both, and they give up")
    func hopeless() {
        let world = TestWorld(machines: 2, seed: 3)
        fill(world, 0, 5)
        world.cut(connectedOnce(world))
        // The one refuses and has not said so: what it is sent never arrives.
        world.stores[1].damage(UID("u2"))
        world.stores[0].refusedBy["device1"] = []
        let silent = SilentRefusal(world)
        silent.run(UID("u2"))
        #expect(!world.isProvenEqual)
        #expect(world.differs == [[UID("u2")], [UID("u2")]])
    }

    @Test("verify names what differs, and nothing when nothing does", arguments: [0, 1])
    func verify(at machine: Int) {
        let world = TestWorld(machines: 2, seed: 9)
        fill(world, 0, 20)
        let connection = world.connect(0, 1)
        world.verify(connection, at: machine, id: 1)
        world.run()
        #expect(world.verified[1] == [])
        world.stores[1].damage(UID("u7"))
        world.stores[0].damage(UID("u8"))
        world.verify(connection, at: machine, id: 2)
        world.verify(connection, at: machine, id: 3)
        world.run()
        #expect(world.verified[2] == [UID("u7"), UID("u8")])
        #expect(world.verified[3] == world.verified[2])
    }
}

/// Lets a world run in which a record, once healed, is lost again before anyone looks.
private struct SilentRefusal {
    private let world: TestWorld

    init(_ world: TestWorld) { self.world = world }

    func run(_ uid: UID) {
        world.connect(0, 1)
        for _ in 0..<5000 {
            world.run(steps: 1)
            world.stores[1].damage(uid)
        }
    }
}
