import Testing
import Wire

@Suite("Strangers")
struct StrangersTests {
    @Test("so many at a time from one network, and from all")
    func atOnce() {
        let strangers = Door()
        for _ in 0..<Strangers.atOncePerNetwork { #expect(strangers.mayCome(from: "a", now: 0)) }
        #expect(!strangers.mayCome(from: "a", now: 0))
        strangers.left("a")
        #expect(strangers.mayCome(from: "a", now: 0))
        var open = Strangers.atOncePerNetwork
        var network = 0
        while open < Strangers.atOnce {
            network += 1
            for _ in 0..<Strangers.atOncePerNetwork where open < Strangers.atOnce {
                #expect(strangers.mayCome(from: "b\(network)", now: 0))
                open += 1
            }
        }
        #expect(!strangers.mayCome(from: "c", now: 0))
        strangers.left("a")
        #expect(strangers.mayCome(from: "c", now: 0))
        #expect(strangers.turnedAway == 2)
        // Who never came cannot leave.
        strangers.left("nobody")
        #expect(!strangers.mayCome(from: "d", now: 0))
    }

    @Test(
        "so many in a row from one network, then one every interval; others and those who log in do not count"
    )
    func rate() {
        let strangers = Door()
        func come(_ network: String, _ now: UInt64) -> Bool {
            guard strangers.mayCome(from: network, now: now) else { return false }
            strangers.left(network)
            return true
        }
        let inARow = (0...Strangers.burst).map { _ in come("a", 5000) }
        #expect(inARow == [Bool](repeating: true, count: Strangers.burst) + [false])
        let later = [
            come("b", 5000), come("a", 5000 + Strangers.interval - 1), come("a", 5000 + Strangers.interval),
            come("a", 5000 + Strangers.interval),
        ]
        #expect(later == [true, false, true, false])
        for _ in 0..<(2 * Strangers.burst) {
            #expect(strangers.mayCome(from: "peer", now: 5000))
            strangers.loggedIn("peer", wasLetCome: true)
            strangers.loggedOut("peer")
        }
        // Who logs in more often than he may is let come no more often than a stranger.
        for _ in 0..<Strangers.burst {
            #expect(strangers.mayCome(from: "restless", now: 5000))
            strangers.loggedIn("restless", wasLetCome: true, isTooMany: true)
            strangers.loggedOut("restless")
        }
        #expect(!strangers.mayCome(from: "restless", now: 5000))
        // Nobody locks a peer out that lives in the same house.
        strangers.loggedIn("a", wasLetCome: false)
        #expect((0...Strangers.burst).allSatisfy { _ in come("a", 6000) })
        strangers.loggedOut("a")
        #expect(!come("a", 6000))
    }

    @Test("any number of networks costs a bounded table, and those that are open stay in it")
    func table() {
        let strangers = Door()
        for _ in 0..<Strangers.atOncePerNetwork { #expect(strangers.mayCome(from: "a", now: 0)) }
        for network in 0..<(2 * Strangers.networks) {
            #expect(strangers.mayCome(from: "n\(network)", now: 0))
            strangers.left("n\(network)")
        }
        #expect(!strangers.mayCome(from: "a", now: 0))
    }

    @Test("refused devices are listed newest first, each once with how often it came, and not too many")
    func refused() {
        let strangers = Door()
        #expect(strangers.refuse("x", from: "a", time: 1))
        #expect(strangers.refuse("y", from: "b", time: 2))
        #expect(!strangers.refuse("x", from: "c", time: 3))
        #expect(strangers.refused.map(\.device) == ["x", "y"])
        #expect(strangers.refused[0].count == 2)
        #expect(strangers.refused[0].address == "c" && strangers.refused[0].time == 3)
        for device in 0..<Strangers.refusedShown {
            #expect(strangers.refuse("d\(device)", from: "a", time: 4))
        }
        #expect(strangers.refused.count == Strangers.refusedShown)
        #expect(!strangers.refused.contains { $0.device == "x" || $0.device == "y" })
        strangers.forget("d0")
        #expect(strangers.refused.count == Strangers.refusedShown - 1)
    }
}

/// The same by reference, for expectations.
private final class Door {
    private var strangers = Strangers()

    var turnedAway: Int { strangers.turnedAway }
    var refused: [Strangers.Refused] { strangers.refused }
    func mayCome(from network: String, now: UInt64) -> Bool { strangers.mayCome(from: network, now: now) }
    func left(_ network: String) { strangers.left(network) }
    func loggedIn(_ network: String, wasLetCome: Bool, isTooMany: Bool = false) {
        strangers.loggedIn(network, wasLetCome: wasLetCome, isTooMany: isTooMany)
    }
    func loggedOut(_ network: String) { strangers.loggedOut(network) }
    func forget(_ device: String) { strangers.forget(device) }
    func refuse(_ device: String, from address: String, time: UInt64) -> Bool {
        strangers.refuse(device, from: address, time: time)
    }
}
