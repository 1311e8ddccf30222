import JSON
import TestSupport
import Testing

/// Several machines.
@Suite("Machines together")
struct MeshTests {
    @Test("Three machines in a ring come to the same book, and then are silent")
    func ring() throws {
        try World.with(["A", "B", "C"], shape: .ring) { world, machines in
            for (index, machine) in machines.enumerated() {
                for own in 0..<5 {
                    let number = 1 + index * 5 + own
                    try machine.put(SampleCard(number).text, as: "\(number).json")
                }
                try machine.put(#"{"name": "Ana Holm", "phone": "020 7946 0999"}"#, as: "ana.json")
            }
            for machine in machines { try machine.expectCount(16, "everyone is everywhere, and once") }
            try world.expectEqual("all show the same")
            try world.rest()
            try world.expectSilence("after all is said")
            for machine in machines { try machine.expectOneWholeFileEach("one file each") }
            for machine in machines { #expect(try machine.cli("sync", "--timeout", "10").exit == 0) }
        }
    }

    @Test("A change made while a neighbour is away goes the other way round the ring")
    func aroundTheRing() throws {
        try World.with(["A", "B", "C"], shape: .ring) { world, machines in
            for link in world.links where link.from === machines[0] && link.to === machines[1] {
                link.proxy.cut()
            }
            try machines[0].put(SampleCard(1).text, as: "1.json")
            try machines[1].expectCount(1, "it arrives through the third")
            try world.expectEqual("all show the same")
        }
    }

    @Test("After a reconnect only the changes travel")
    func onlyChanges() throws {
        /// 300 cards with notes that do not compress are far above this; three of them with a greeting are below.
        let most = 20_000
        try World.with(["A", "B"]) { world, machines in
            let cards = SampleCard.many(0..<300, seed: 7)
            for (index, card) in cards.enumerated() { try machines[0].put(card.text, as: "\(index).json") }
            try machines[1].expectCount(300, "all arrive", within: 60)
            try world.rest()
            let full = world.wire.values.reduce(0, +)
            #expect(full > 3 * most, "the whole is large enough to tell: \(full) bytes")

            world.takeOffline(machines[1])
            var edited = cards[10]
            edited.note = "short"
            try machines[0].put(edited.text, as: "10.json")
            try machines[0].put(SampleCard(300).text, as: "300.json")
            try machines[0].remove("20.json")
            try eventually("the changes are known here") {
                let names = try machines[0].names()
                return names.contains("Person 300") && !names.contains("Person 020") ? nil : "they are not"
            }
            try machines[0].settle()
            try world.bringOnline(machines[1])
            try world.waitConnected()
            try world.expectEqual("both show the same")
            try world.rest()
            let sent = world.wire.values.reduce(0, +) - full
            #expect(sent < most, "\(sent) bytes for three changes, \(full) for all")
            try machines[1].expectCount(300, "one more, one less")
        }
    }

    @Test("A restart of an equal machine sends next to nothing")
    func restartIsCheap() throws {
        try World.with(["A", "B"]) { world, machines in
            for card in SampleCard.many(0..<100, seed: 8) {
                try machines[0].put(card.text, as: "\(card.name).json")
            }
            try machines[1].expectCount(100, "all arrive", within: 60)
            try world.rest()
            let before = world.wire.values.reduce(0, +)
            try machines[0].restart()
            try world.waitConnected()
            try world.rest()
            let sent = world.wire.values.reduce(0, +) - before
            #expect(sent < 10_000, "\(sent) bytes after a restart")
        }
    }

    @Test("A machine whose key is not listed gets nothing and gives nothing")
    func unpinnedKey() throws {
        try World.with { world in
            let known = try world.add("A")
            let stranger = try world.add("X")
            try known.start()
            stranger.peers = [Machine.Peer(name: "A", id: try known.device(), port: known.port)]
            try stranger.writeConfiguration()
            try known.put(SampleCard(1).text, as: "1.json")
            try stranger.start()
            try stranger.put(SampleCard(2).text, as: "2.json")
            try eventually("the stranger is told that it was refused") {
                let peer = try stranger.status()["peers"]?.array?.first
                let error = peer?["lastError"]?.string ?? ""
                return error.isEmpty ? "its peer is \(peer.map { JSONWriter.text($0) } ?? "not listed")" : nil
            }
            let moved = try firstChange(within: Window.silence) { try [known.names(), stranger.names()] }
            #expect(moved?.after == nil)
            #expect(try known.names() == ["Person 001"])
            #expect(try stranger.names() == ["Person 002"])
            #expect(try stranger.status()["peers"]?.array?.first?["state"]?.string != "connected")
        }
    }

    @Test("A machine with another key than the listed one is not talked to")
    func otherKey() throws {
        try World.with { world in
            let (a, b) = try (world.add("A"), world.add("B"))
            let wrong = String(try a.device().reversed())
            a.peers = [Machine.Peer(name: "B", id: wrong, port: b.port)]
            b.peers = [Machine.Peer(name: "A", id: try a.device(), port: nil)]
            for machine in [a, b] {
                try machine.writeConfiguration()
                try machine.start()
            }
            try b.put(SampleCard(1).text, as: "1.json")
            try eventually("A says what is wrong") {
                let error = try a.status()["peers"]?.array?.first?["lastError"]?.string ?? ""
                return error.isEmpty ? "it says nothing" : nil
            }
            #expect(try a.names() == [])
            #expect(try a.cli("sync", "--timeout", "1").exit == 1)
        }
    }

    @Test(
        "A peer that sends garbage, or nothing, costs only its own connection",
        arguments: [1, 2, 3] as [UInt64]
    )
    func garbage(seed: UInt64) throws {
        try World.with(["A", "B"]) { world, machines in
            var random = SeededGenerator(seed: seed)
            let silent = try Socket.loopback(machines[0].port)
            for _ in 0..<5 {
                let noisy = try Socket.loopback(machines[0].port)
                noisy.send(
                    (0..<(1 + random.below(60_000))).map { _ in UInt8(truncatingIfNeeded: random.next()) }
                )
                noisy.endSending()
                let deadline = Deadline(Patience.answer)
                while noisy.isReadable(within: 1), !noisy.receive().isEmpty, !deadline.isOver {}
                #expect(!deadline.isOver, "the connection is ended")
            }
            try machines[0].checkAlive()
            try machines[0].put(SampleCard(1).text, as: "1.json")
            try machines[1].expectCount(1, "the others go on")
            try world.waitConnected()
            silent.shutDown()
        }
    }

    @Test("Fifty saves of two fields on two machines at once end with both fields, on both, in one contact")
    func savesAtOnce() throws {
        try World.with(["A", "B"]) { world, machines in
            let card = SampleCard(1, name: "Eva Lund")
            try machines[0].put(card.text, as: "eva.json")
            try machines[1].expectNames(["Eva Lund"], "it arrives")
            try world.rest()
            var random = SeededGenerator(seed: 50)
            for save in 1...25 {
                // As an editor: what the file says, with one field changed, however it saves.
                for (machine, member, inner) in [
                    (machines[0], "emails", "address"), (machines[1], "notes", "note"),
                ] {
                    guard let file = machine.fileNames.first, let bytes = machine.bytes(of: file),
                        var now = try parsed(bytes).object
                    else { throw Failure("\(machine.name) has no file: \(machine.fileNames)") }
                    now[member] = ["x1": [inner: .string("\(member) \(save)")]]
                    try machine.save(JSONWriter.text(.object(now)), as: file, Save.allCases[random.below(3)])
                }
            }
            for machine in machines {
                try eventually("both last edits are on \(machine.name)") {
                    guard let eva = try machine.person(card.uid) else { return "nobody is there" }
                    let have =
                        eva.entries("emails").compactMap { $0["address"]?.string }
                        + eva.entries("notes").compactMap { $0["note"]?.string }
                    return have == ["emails 25", "notes 25"] ? nil : "have \(have)"
                }
            }
            try world.rest(Window.absence)
            try world.expectEqual("both show the same")
            for machine in machines { try machine.expectOneWholeFileEach("one file") }
            try world.expectSilence("after the last save")
        }
    }
}
