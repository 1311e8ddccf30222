import JSON
import TestSupport
import Testing

/// Power cuts.
@Suite("Sudden ends")
struct CrashTests {
    @Test(
        "After kill -9 in the middle of additions nothing that was acknowledged is lost, nobody is there twice, no file is half",
        arguments: [11, 12] as [UInt64]
    )
    func killedDuringAdds(seed: UInt64) throws {
        /// Additions sent at once in each round; the daemon is killed after some of them were answered.
        let burst = 20
        try World.with(["A", "B"]) { world, machines in
            var random = SeededGenerator(seed: seed)
            let a = machines[0]
            var sent: Set<String> = []
            var safe: Set<String> = []
            for round in 0..<6 {
                let client = try LineClient(path: a.socket)
                let names = (0..<burst).map { "Person \(round)-\($0)" }
                for (index, name) in names.enumerated() {
                    let number = "020 7946 0" + String(100 + round * burst + index)
                    client.send(
                        JSONWriter.text([
                            "jsonrpc": "2.0", "id": .number(index), "method": "add",
                            "params": [
                                "book": .string(Machine.book), "name": .string(name),
                                "phone": .string(number),
                            ],
                        ])
                    )
                }
                sent.formUnion(names)
                let dropped = SampleCard(500 + round, name: "Dropped \(round)")
                try a.put(dropped.text, as: "dropped-\(round).json")
                sent.insert(dropped.name)
                safe.insert(dropped.name)
                for _ in 0..<random.below(burst) {
                    guard let text = client.line() else {
                        throw Failure("the daemon stopped answering: \(a.logEnd)")
                    }
                    let answer = try parsed(text)
                    guard answer["result"] != nil, let id = answer["id"]?.integer else {
                        throw Failure("add was refused: \(text)")
                    }
                    safe.insert(names[Int(id)])
                }
                a.kill9()
                for file in a.fileNames { _ = try parsed(a.bytes(of: file) ?? []) }
                try a.start()
                try eventually("what was acknowledged is there after round \(round)") {
                    let have = try a.names()
                    if have.count != Set(have).count {
                        return "twice: \(have.filter { name in have.count { $0 == name } > 1 })"
                    }
                    let lost = safe.subtracting(have)
                    if !lost.isEmpty { return "lost: \(lost.sorted())" }
                    let odd = Set(have).subtracting(sent)
                    return odd.isEmpty ? nil : "never added: \(odd.sorted())"
                }
            }
            try a.expectOneWholeFileEach("after all rounds")
            try world.waitConnected()
            try world.expectEqual("the other machine has the same", within: 40)
            try machines[1].expectOneWholeFileEach("after all rounds")
        }
    }

    @Test(
        "A machine that is killed while it receives ends equal, without a half-written file",
        arguments: [21] as [UInt64]
    )
    func killedWhileReceiving(seed: UInt64) throws {
        try World.with(["A", "B"]) { world, machines in
            var random = SeededGenerator(seed: seed)
            let (a, b) = (machines[0], machines[1])
            let cards = SampleCard.many(0..<120, seed: seed)
            for round in 0..<4 {
                let part = cards[(round * 30)..<(round * 30 + 30)]
                for card in part { try a.put(card.text, as: "\(card.name).json") }
                // Killed when some more have arrived.
                let enough = round * 30 + random.below(25)
                try waitUntil("some arrive") { b.fileNames.count >= enough }
                b.kill9()
                for file in b.fileNames { _ = try parsed(b.bytes(of: file) ?? []) }
                try b.start()
            }
            try world.waitConnected()
            try b.expectCount(120, "all arrive", within: 60)
            try world.expectEqual("both show the same")
            for machine in machines { try machine.expectOneWholeFileEach("one file each") }
        }
    }

    @Test("A lost state is found again in the files and in the other machine, and nothing comes twice")
    func stateLost() throws {
        try World.with(["A", "B"]) { world, machines in
            let a = machines[0]
            for index in 1...5 { try a.put(SampleCard(index).text, as: "\(index).json") }
            try machines[1].expectCount(5, "all arrive")
            try world.rest()
            a.kill9()
            try a.loseDatabase()
            try a.start()
            try world.waitConnected()
            try world.rest()
            for machine in machines { try machine.expectCount(5, "the same five") }
            try world.expectEqual("both show the same")
            for machine in machines { try machine.expectOneWholeFileEach("one file each") }
        }
    }
}
