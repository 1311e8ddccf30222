import Foundation
import JSON
import Testing

/// The end of a pair.
@Suite("Unpairing")
struct UnpairTests {
    private static func state(of name: String, at machine: Machine) throws -> String? {
        try PairingTests.peers(machine).first { $0["name"]?.string == name }?["state"]?.string
    }

    private static func expectRefused(_ machine: Machine, by name: String) throws {
        try eventually("\(machine.name) is refused by \(name)") {
            _ = try machine.cli("sync", "--timeout", "0")  // dials at once
            let peers = try PairingTests.peers(machine)
            return peers.contains { $0["name"]?.string == name && $0["state"]?.string == "refused" }
                ? nil : JSONWriter.text(.array(peers))
        }
    }

    @Test(
        "Final: the connection ends, what was given stays, no third machine and no restart brings it back; pairing does"
    )
    func final() throws {
        try PairingTests.with(["A", "B", "C"]) { _, machines in
            let (a, b, c) = (machines[0], machines[1], machines[2])
            try c.put(SampleCard(1).text, as: "1.json")
            // C dials A, so that it goes on trying.
            for (one, other) in [(a, b), (a, c), (b, c)] { try PairingTests.pair(one, other) }
            for (machine, name) in [(a, "C"), (a, "B"), (b, "C")] {
                try PairingTests.expectConnected(machine, name)
            }
            for machine in machines { try machine.expectCount(1, "the book arrives") }
            let answer = try a.must("unpair", "C")
            #expect(answer.out.contains("C is refused"))
            try Self.expectRefused(c, by: "A")
            #expect(try Self.state(of: "C", at: a) == nil)
            try a.restart()
            try Self.expectRefused(c, by: "A")
            try PairingTests.expectConnected(a, "B")
            try PairingTests.expectConnected(c, "B")
            #expect(try a.names() == [SampleCard(1).name], "what it gave stays")
            #expect(try PairingTests.peers(a).count == 1, "B knows both and brings nobody back")
            let unpaired = try a.status()["unpaired"]?.array?.first?.object
            #expect(try unpaired?["name"] == "C" && unpaired?["device"]?.string == c.device())
            // The word of a person beats the file.
            a.peers = [Machine.Peer(name: "C", id: try c.device(), port: c.port)]
            try a.writeConfiguration()
            a.hangUp()
            try waitUntil("it is said") {
                (try? String(contentsOfFile: a.log, encoding: .utf8))?.contains("C was unpaired here")
                    ?? false
            }
            #expect(try PairingTests.peers(a).count == 1)
            let told = try a.cli("status").out
            #expect(told.contains("C was unpaired here and stays refused"), "\(told)")
            let again = try a.cli("unpair", "C")
            #expect(again.exit == 1 && again.err.contains("was unpaired already"), "\(again)")
            try Self.expectRefused(c, by: "A")
            // Until another word.
            try PairingTests.pair(a, c)
            try PairingTests.expectConnected(a, "C")
            #expect(try a.status()["unpaired"] == [])
        }
    }

    @Test(
        "Who was paired and stands in the configuration too is gone when both are taken back, as the refusal says"
    )
    func both() throws {
        try PairingTests.with(["A", "B"]) { _, machines in
            let (a, b) = (machines[0], machines[1])
            try PairingTests.pair(a, b)
            try PairingTests.expectConnected(a, "B")
            a.peers = [Machine.Peer(name: "listed", id: try b.device(), port: nil)]
            try a.writeConfiguration()
            a.hangUp()
            try PairingTests.expectConnected(a, "listed")
            let answer = try a.cli("unpair", "listed")
            #expect(answer.exit == 4, "\(answer)")
            #expect(answer.err.contains("[peers.listed]") && answer.err.contains("`contactsync unpair B`"))
            a.peers = []
            try a.writeConfiguration()
            a.hangUp()
            try PairingTests.expectConnected(a, "B")
            _ = try a.must("unpair", "B")
            try Self.expectRefused(b, by: "A")
            #expect(try PairingTests.peers(a).isEmpty)
        }
    }

    @Test("A peer of the configuration is not unpaired: the refusal names file and line")
    func configured() throws {
        try World.with(["A", "B"]) { _, machines in
            let a = machines[0]
            let answer = try a.cli("unpair", "B")
            let lines = try String(contentsOfFile: a.configuration, encoding: .utf8).split(
                separator: "\n",
                omittingEmptySubsequences: false
            )
            let line = try #require(lines.firstIndex(of: "[peers.B]")) + 1
            #expect(answer.exit == 4, "\(answer)")
            #expect(answer.err.contains("\(a.configuration), line \(line)"), "\(answer)")
            try PairingTests.expectConnected(a, "B")
            let nobody = try a.cli("unpair", "X")
            #expect(nobody.exit == 1 && nobody.err.contains("name one of: B"), "\(nobody)")
        }
    }
}
