import Foundation
import JSON
import Testing

/// A lost database, and a configuration read again.
@Suite("State and configuration")
struct StateTests {
    @Test("A lost database deletes nothing, brings back nothing, and goes on under a new replica ID")
    func lostDatabase() throws {
        try World.with(["A", "B"]) { world, machines in
            let (a, b) = (machines[0], machines[1])
            for index in 1...6 { try a.put(SampleCard(index).text, as: "\(index).json") }
            try b.expectCount(6, "all arrive")
            try world.rest()
            let replica = try a.status()["replica"]?.string
            try a.stop()
            try b.must("remove", Machine.book, "Person 002")
            try b.put(SampleCard(7).text, as: "7.json")
            var edited = SampleCard(3)
            edited.note = "written on B meanwhile"
            guard let file = try b.person(edited.uid)?.file else { throw Failure("no file") }
            try b.put(edited.text, as: file)
            try waitUntil("B takes the edit") { try b.person(edited.uid)?.card["notes"] != nil }
            try a.loseDatabase()
            try a.start()
            try world.waitConnected()
            let names = [1, 3, 4, 5, 6, 7].map { SampleCard($0).name }
            for machine in machines { try machine.expectNames(names, "what was deleted stays deleted") }
            try world.expectEqual("both show the same")
            #expect(try a.person(edited.uid)?.card["notes"] != nil, "an edit is not undone by an old file")
            for machine in machines { try machine.expectOneWholeFileEach("one file each") }
            #expect(try a.status()["replica"]?.string != replica)
        }
    }

    @Test("SIGHUP reads the peers again; a configuration that is wrong changes nothing")
    func hangup() throws {
        try World.with { world in
            let a = try world.add("A")
            let b = try world.add("B")
            try a.start()
            try a.put(SampleCard(1).text, as: "1.json")
            try a.expectCount(1, "it is read")
            // Only now do they learn of each other.
            try world.connect()
            try b.start()
            a.hangUp()
            try b.expectCount(1, "it arrives")
            let configuration = try String(contentsOfFile: a.configuration, encoding: .utf8)
            try (configuration + "\nno such line\n").write(
                toFile: a.configuration,
                atomically: true,
                encoding: .utf8
            )
            a.hangUp()
            try waitUntil("the log says so") { a.logEnd.contains("config.toml") }
            try a.put(SampleCard(2).text, as: "2.json")
            try b.expectCount(2, "they are connected still")
        }
    }
}
