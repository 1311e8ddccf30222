import JSON
import Testing

/// `contactsync doctor` and `contactsyncd --check`, beside a daemon and without one.
@Suite("Doctor")
struct DoctorTests {
    @Test("With all as it should be there is nothing; without a daemon that is what it finds")
    func healthy() throws {
        try World.with(["A", "B"]) { _, machines in
            let answer = try machines[0].cli("doctor", "--json")
            #expect(answer.exit == 0 && answer.json == [], "\(answer.out)")
            #expect(try machines[0].cli("doctor").out == "nothing is wrong\n")
            try machines[0].stop()
            let alone = try machines[0].cli("doctor", "--json")
            #expect(alone.exit == 1)
            #expect(alone.json?.array?.map { $0["mend"] } == ["systemctl --user start contactsync"])
            // Two programs share what they look at; `--check` comes before the start, so no daemon is no finding.
            let check = try machines[0].launch(["--check"], log: machines[0].home + "/check")
            #expect(check.wait(Patience.answer) == 0)
        }
    }

    @Test("What the daemon knows is among the findings: a held book, a peer that refuses us")
    func troubles() throws {
        try World.with { world in
            let (a, b) = try (world.add("A"), world.add("B"))
            a.peers = [Machine.Peer(name: "B", id: try b.device(), port: b.port)]
            for machine in [a, b] {
                try machine.writeConfiguration()
                try machine.start()
            }
            for index in 1...2 { try a.put(SampleCard(index).text, as: "\(index).json") }
            try a.expectCount(2, "they are read")
            for index in 1...2 { try a.remove("\(index).json") }
            try waitUntil("the book is held") { try a.bookStatus()["held"] != nil }
            try eventually("both are found") {
                let answer = try a.cli("doctor", "--json")
                let mends = answer.json?.array?.compactMap { $0["mend"]?.string } ?? []
                return answer.exit == 1 && mends.contains { $0.hasSuffix("resume personal --restore") }
                    && answer.out.contains("B does not accept this machine") ? nil : answer.out
            }
        }
    }
}
