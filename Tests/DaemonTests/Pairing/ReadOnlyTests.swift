import Foundation
import JSON
import Testing

/// A peer that may read a book and not write it.
@Suite("Read only")
struct ReadOnlyTests {
    /// What A's status says of a book shared with a peer.
    private static func book(_ name: String, at machine: Machine) throws -> JSONObject? {
        try PairingTests.peers(machine).first { $0["name"]?.string == name }?["books"]?.object?[Machine.book]?
            .object
    }

    private static func expectRefused(_ count: Int64, by a: Machine, from b: Machine) throws {
        try eventually("\(count) are refused, and both say so") {
            let (here, there) = try (book(b.name, at: a), book(a.name, at: b))
            return here?["refusedHere"]?.integer == count && there?["refusedThere"]?.integer == count
                ? nil : "\(here.map { JSONWriter.text(.object($0)) } ?? "-")"
        }
    }

    private static func expectEqual(_ machines: Machine...) throws {
        for machine in machines {
            try eventually("\(machine.name) is in sync") {
                let answer = try machine.cli("sync", "--timeout", "5")
                return answer.exit == 0 ? nil : "\(answer)"
            }
            let verified = try machine.cli("verify", Machine.book)
            #expect(verified.exit == 0, "\(verified)")
        }
    }

    private static func rename(_ machine: Machine, to name: String) throws {
        try waitUntil("its file is there") { !machine.fileNames.isEmpty }
        let file = try #require(machine.fileNames.first)
        let text = String(decoding: machine.bytes(of: file) ?? [], as: UTF8.self)
        try machine.put(text.replacing(SampleCard(1).name, with: name), as: file)
    }

    /// A and B, where A gives B its book to read only, and contact 1 at both.
    private static func with(_ more: [String] = [], _ body: ([Machine]) throws -> Void) throws {
        try World.with { world in
            let machines = try (["A", "B"] + more).map { try world.add($0) }
            try world.connect()
            let a = machines[0]
            for at in a.peers.indices where a.peers[at].name == "B" { a.peers[at].access = "read" }
            try a.writeConfiguration()
            for machine in machines { try machine.start() }
            try world.waitConnected()
            try a.put(SampleCard(1).text, as: "1.json")
            for machine in machines { try machine.expectCount(1, "it arrives") }
            try body(machines)
        }
    }

    @Test(
        "What it changes, adds and deletes is refused and said on both sides; the rest flows, and both count as equal"
    )
    func refused() throws {
        try Self.with { machines in
            let (a, b) = (machines[0], machines[1])
            try Self.rename(b, to: "Changed There")
            try Self.expectRefused(1, by: a, from: b)
            try b.put(SampleCard(2).text, as: "2.json")
            try Self.expectRefused(2, by: a, from: b)
            try a.put(SampleCard(3).text, as: "3.json")
            try b.expectCount(3, "additions of the owner arrive")
            try b.must("remove", Machine.book, SampleCard(3).name)
            try Self.expectRefused(3, by: a, from: b)
            #expect(try a.names() == [SampleCard(1).name, SampleCard(3).name])
            try Self.expectEqual(a, b)
            for (machine, word) in [(a, "may only read"), (b, "only read")] {
                #expect(try machine.cli("status").out.contains(word))
                #expect(try String(contentsOfFile: machine.log, encoding: .utf8).contains(word))
            }
            // Nothing of it is stored, and it is found again.
            try a.restart()
            try PairingTests.expectConnected(b, "A")
            try Self.expectRefused(3, by: a, from: b)
            try Self.expectEqual(a, b)
            #expect(try a.names() == [SampleCard(1).name, SampleCard(3).name])
            // With another word in the configuration it is all taken.
            a.peers[0].access = "write"
            try a.writeConfiguration()
            a.hangUp()
            try a.expectNames(["Changed There", SampleCard(2).name], "what was refused is taken")
            try Self.expectRefused(0, by: a, from: b)
            try Self.expectEqual(a, b)
        }
    }

    @Test("What comes by way of another peer is taken, and no longer counts as refused")
    func another() throws {
        try Self.with(["C"]) { machines in
            let (a, b, c) = (machines[0], machines[1], machines[2])
            try c.stop()
            try Self.rename(b, to: "Changed There")
            try Self.expectRefused(1, by: a, from: b)
            try c.start()
            try a.expectNames(["Changed There"], "C passes it on")
            try Self.expectRefused(0, by: a, from: b)
            try Self.expectEqual(a, b, c)
        }
    }

    @Test("Pairing gives it too, and tells both")
    func paired() throws {
        try PairingTests.with(["A", "B"]) { _, machines in
            let (a, b) = (machines[0], machines[1])
            let invitation = try a.must("pair", "--invite", "--read-only", "--json").json?["address"]?.string
            let answer = try b.must("pair", invitation ?? "")
            #expect(answer.out.contains("refused there"))
            try PairingTests.expectConnected(a, "B")
            try b.put(SampleCard(1).text, as: "1.json")
            try Self.expectRefused(1, by: a, from: b)
            try a.put(SampleCard(2).text, as: "2.json")
            try b.expectCount(2, "the other way is open")
            for machine in machines { try machine.restart() }
            try Self.expectRefused(1, by: a, from: b)
            #expect(try a.names() == [SampleCard(2).name])
        }
    }
}
