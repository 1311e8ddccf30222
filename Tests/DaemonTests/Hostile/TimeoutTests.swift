import Foundation
import TLS
import Testing
import Wire

/// Whoever is silent, slow or deaf is disconnected when his time is over, by a daemon for which time passes quickly.
@Suite("Time-outs", .enabled(if: Executables.clockShifter != nil))
struct TimeoutTests {
    /// Seconds of the daemon in one of ours.
    private static let rate = 10

    /// A daemon that lists a peer, whose key lies in the directory.
    private static func with(_ body: (Machine, String) throws -> Void) throws {
        try World.with { world in
            var options = MachineOptions()
            options.clockRate = rate
            let machine = try world.add("A", options)
            let key = machine.home + "/key"
            machine.peers = [
                Machine.Peer(name: "slow", id: try Identity.load(directory: key).deviceID, port: nil)
            ]
            try machine.writeConfiguration()
            try machine.start()
            try body(machine, key)
        }
    }

    /// The daemon's time in seconds until something is so; it must not be before most of `milliseconds` have passed.
    private static func expect(_ claim: String, after milliseconds: UInt64, _ condition: () throws -> Bool)
        throws
    {
        let began = ContinuousClock.now
        try waitUntil(claim, condition)
        let passed = (ContinuousClock.now - began) * rate
        #expect(passed > .milliseconds(milliseconds) * 0.8, "\(claim), after \(passed)")
    }

    @Test("who says nothing is closed after ten seconds, and told so where TLS stands")
    func login() throws {
        try Self.with { machine, key in
            let silent = try Socket.loopback(machine.port)
            try Self.expect("a silent one is closed", after: WireLimits.loginTimeout) {
                silent.isReadable(within: 0.01)
            }
            #expect(silent.receive().isEmpty)
            let peer = try HostilePeer(key: key, port: machine.port)
            #expect(peer.shakeHands())
            try Self.expect("one without a hello is closed", after: WireLimits.loginTimeout) {
                peer.end(within: 0.05) != nil
            }
            #expect(peer.end() == "no login within 10 s")
            try waitUntil("the log says so") { machine.logEnd.contains("slow: no login within 10 s") }
        }
    }

    @Test(
        "a frame that does not get on is not waited for; one that does get on, and a peer that is idle, are"
    )
    func frame() throws {
        try Self.with { machine, key in
            let idle = try HostilePeer(key: key, port: machine.port)
            try idle.logIn()
            #expect(
                firstChange(within: 1.5 * Double(WireLimits.patience) / 1000 / Double(Self.rate)) {
                    idle.end(within: 0.01)
                } == nil
            )
            idle.send(kind: FrameKind.batch.rawValue, length: 4_000_000, [UInt8](repeating: 0x20, count: 10))
            let slow = Deadline(1.5 * Double(WireLimits.patience) / 1000 / Double(Self.rate))
            while !slow.isOver {
                idle.send(plain: [UInt8](repeating: 0x20, count: WireLimits.progressBytes))
                #expect(idle.end(within: 0.3) == nil)
            }
            try Self.expect("it is closed", after: WireLimits.patience / 2) { idle.end(within: 0.05) != nil }
            let reason = try #require(idle.end())
            #expect(reason == WireError.stalled(milliseconds: WireLimits.patience).description)
            try waitUntil("the log says so") { machine.logEnd.contains("slow: " + reason) }
        }
    }

    @Test("who does not read what it asked for is closed")
    func deaf() throws {
        try Self.with { machine, key in
            let peer = try HostilePeer(key: key, port: machine.port)
            try peer.logIn()
            peer.socket.readsLittle()
            peer.send(.follow(book: Machine.book, after: nil))
            // More than all buffers between the two hold, and nothing that would get smaller.
            let noise = try #require(
                FileHandle(forReadingAtPath: "/dev/urandom")?.readData(ofLength: 5 << 20)
            )
            try machine.put(
                """
                {"@type":"Card","version":"1.0","uid":"p","name":{"full":"Photo"},
                "media":{"m":{"@type":"Media","kind":"photo","uri":"data:image/png;base64,\(noise.base64EncodedString())"}}}
                """,
                as: "photo.json"
            )
            let reason = WireError.notReading(milliseconds: WireLimits.patience).description
            // A debug build needs its time for the photo.
            try waitUntil("it is closed", within: 3 * Patience.answer) {
                machine.logEnd.contains("slow: " + reason)
            }
        }
    }
}
