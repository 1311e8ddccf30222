import Foundation
import JSON
import Testing

/// What happens, as scripts are told it.
@Suite("Events")
struct EventTests {
    /// A connection that is told events.
    final class Listener {
        private let client: LineClient
        private(set) var heard: [JSONValue] = []

        init(_ machine: Machine, _ parameters: JSONValue = [:]) throws {
            client = try LineClient(path: machine.socket)
            _ = try client.ask("events", parameters)
        }

        /// Waits for an event, and returns it.
        @discardableResult
        func expect(_ word: String, _ claim: String, where fits: (JSONValue) -> Bool = { _ in true }) throws
            -> JSONValue
        {
            let deadline = Deadline(Patience.answer)
            while !deadline.isOver {
                guard let line = client.line(within: 1) else { continue }
                let message = try parsed(line)
                guard message["method"]?.string == "event", let event = message["params"] else { continue }
                heard.append(event)
                if event["event"]?.string == word, fits(event) { return event }
            }
            throw Failure("\(claim): no \(word) among \(heard.map { JSONWriter.text($0) })")
        }
    }

    /// The events that `events --once` prints.
    private static func told(_ machine: Machine, _ arguments: String...) throws -> [JSONValue] {
        let answer = try machine.cli(["events", "--once"] + arguments)
        guard answer.exit == 0 else { throw Failure("\(answer)") }
        return try answer.out.split(separator: "\n").map { try parsed(String($0)) }
    }

    @Test("Whatever happens to contacts, files, peers and books is told once, with who and where")
    func all() throws {
        try World.with(["A", "B"]) { world, machines in
            let (a, b) = (machines[0], machines[1])
            let here = try Listener(a)
            try b.put(SampleCard(1, name: "Ana Holm", phone: "020 7946 0123").text, as: "ana.json")
            let added = try here.expect("added", "an addition from a peer")
            #expect(added["uid"]?.string == SampleCard(1).uid && added["name"]?.string == "Ana Holm")
            #expect(added["book"]?.string == Machine.book && added["origin"]?.string == "peer")
            #expect(try added["device"]?.string == b.device())
            #expect(added["session"]?.string?.hasPrefix(try b.device().prefix(16)) == true)
            let synced = try here.expect("sync-complete", "both are equal")
            #expect(synced["peer"]?.string == "B" && synced["book"]?.string == Machine.book)

            try a.put(SampleCard(2, name: "Ana Holm", phone: "+44 20 7946 0123").text, as: "two.json")
            let merged = try here.expect("merged", "they are one")
            #expect(Set(merged["uids"]?.texts ?? []) == [SampleCard(1).uid, SampleCard(2).uid])
            try a.settle()
            try a.must("unmerge", Machine.book, SampleCard(1).uid)
            try here.expect("split", "they are two")
            try a.settle()

            try a.put("{\"name\": ", as: "bad.json")
            let aside = try here.expect("set-aside", "a broken file")
            #expect(aside["file"]?.string == "bad.json" && aside["line"]?.integer == 1)
            #expect(aside["reason"]?.string?.isEmpty == false)
            try a.put(SampleCard(3).text, as: "bad.json")
            #expect(try here.expect("mended", "the file is whole")["file"]?.string == "bad.json")

            var card = SampleCard(3)
            card.note = "changed"
            try a.put(card.text, as: "bad.json")
            let changed = try here.expect("changed", "an edit")
            #expect(changed["uid"]?.string == card.uid && changed["origin"]?.string == "file")
            #expect(changed["fields"]?.texts.contains { $0.hasPrefix("notes") } == true)

            try world.rest()
            world.takeOffline(b)
            let down = try here.expect("peer-down", "the peer is gone")
            #expect(down["peer"]?.string == "B" && down["reason"]?.string?.isEmpty == false)
            for machine in machines {
                card.note = "from \(machine.name)"
                let file = try #require(try machine.person(card.uid)?.file)
                try machine.put(card.text, as: file)
                try machine.settle()
            }
            try world.bringOnline(b)
            try world.waitConnected()
            try here.expect("peer-up", "the peer is back")
            let conflict = try here.expect("conflict", "both wrote the note")
            #expect(conflict["uid"]?.string == card.uid)
            #expect(conflict["fields"]?.texts.first?.hasPrefix("notes") == true)

            try a.must("remove", Machine.book, card.uid)
            #expect(try here.expect("removed", "it is removed")["name"]?.string == card.name)
            try a.settle()
            for file in a.fileNames { try a.remove(file) }
            #expect(try here.expect("hold", "all are gone")["reason"]?.string?.isEmpty == false)
            try a.must("resume", Machine.book, "--restore")
            try here.expect("release", "a person has decided")

            // Each is told once, in order, and again to whoever asks later.
            let numbers = here.heard.compactMap { $0["id"]?.integer }
            #expect(numbers == Array(Set(numbers)).sorted())
            let again = try Self.told(a).filter { here.heard.contains($0) }
            #expect(again.count == here.heard.count, "the journal tells what was told")
        }
    }

    @Test("The journal outlives a sudden end; --since goes on where it was left, by number, time or span")
    func since() throws {
        try World.with(["A"]) { _, machines in
            let a = machines[0]
            for index in 1...5 { try a.put(SampleCard(index).text, as: "\(index).json") }
            try a.expectCount(5, "all are read")
            try a.settle()
            let before = try Self.told(a)
            #expect(before.map { $0["event"]?.string } == .init(repeating: "added", count: 5))
            a.kill9()
            try a.start()
            try a.settle()
            #expect(try Self.told(a) == before, "nothing is lost, and a start tells nothing anew")
            let third = try #require(before[2]["id"]?.integer)
            #expect(try Self.told(a, "--since", String(third)) == Array(before[3...]))
            let time = try #require(before[3]["time"]?.string)
            #expect(try Self.told(a, "--since", time).contains(before[4]))
            #expect(try Self.told(a, "--since", "1h") == before)
            #expect(try Self.told(a, "--since", "2999-01-01T00:00:00Z") == [])
            #expect(try a.cli("events", "--once", "--since", "yesterday").exit == 2)
            // A number that was never given: what it counted is not what we count.
            let lost = try Self.told(a, "--since", "1000000")
            #expect(lost.first?["event"] == "gap" && Array(lost.dropFirst()) == before)
        }
    }

    @Test("A reader that does not read costs nothing, and misses nothing when it does")
    func slowReader() throws {
        try World.with(["A"]) { _, machines in
            let a = machines[0]
            let slow = try Listener(a)
            let count = 300
            // More than a socket's buffer and what the daemon keeps for a reader hold together.
            let long = String(repeating: "long ", count: 800)
            for index in 1...count {
                try a.put(SampleCard(index, name: "\(long)\(index)").text, as: "\(index).json")
            }
            try a.expectCount(count, "all are read")
            try a.put(SampleCard(count + 1).text, as: "last.json")
            try slow.expect("added", "the last one comes in the end") {
                $0["uid"]?.string == SampleCard(count + 1).uid
            }
            let uids = slow.heard.compactMap { $0["uid"]?.string }
            #expect(uids.count == count + 1 && Set(uids).count == count + 1, "\(uids.count) were told")
        }
    }

    @Test(
        "A hook is run for each event it wants, in order; one that hangs or fails is shown and holds nothing up"
    )
    func hooks() throws {
        try World.with { world in
            let a = try world.add("A")
            let said = a.home + "/said"
            a.options.lastLines = [
                "[hooks.tell]", "command = [\"/bin/sh\", \"-c\", \"cat >> \(said)\"]",
                "events = [\"added\", \"removed\"]",
                "[hooks.hang]", "command = [\"/bin/sh\", \"-c\", \"sleep 600 & sleep 600\"]",
                "events = [\"removed\"]", "timeout = 1",
                "[hooks.open]", "command = [\"/bin/sh\", \"-c\", \"ls -l /proc/self/fd > \(said)-open\"]",
                "events = [\"removed\"]",
                "[hooks.fail]", "command = [\"/bin/false\"]",
                "[hooks.missing]", "command = [\"\(a.home)/no-such\"]",
            ]
            try a.writeConfiguration()
            try a.start()
            for index in 1...20 { try a.put(SampleCard(index).text, as: "\(index).json") }
            try a.expectCount(20, "all are read")
            try a.must("remove", Machine.book, SampleCard(1).uid)
            try eventually("the hook has heard all") {
                let lines = try Self.lines(said)
                let words = try lines.map { try parsed($0)["event"]?.string }
                return words == .init(repeating: "added", count: 20) + ["removed"] ? nil : "\(words)"
            }
            try eventually("what fails is shown") {
                let hooks = try a.status()["hooks"]?.array ?? []
                func error(_ name: String) -> String {
                    hooks.first { $0["name"]?.string == name }?["lastError"]?.string ?? ""
                }
                return error("hang").contains("killed after 1 s") && error("fail").contains("exited with 1")
                    && error("missing").contains("no such file") && error("tell").isEmpty
                    ? nil : JSONWriter.text(.array(hooks))
            }
            try eventually("no database and no watch of the daemon is passed on") {
                let open = try Self.lines(said + "-open")
                return open.count > 3 && !open.contains { $0.contains(a.state) || $0.contains("anon_inode") }
                    ? nil : "\(open)"
            }
            #expect(try a.cli("list", Machine.book).exit == 0, "the daemon answers meanwhile")
            let log = try String(contentsOfFile: a.log, encoding: .utf8)
            #expect(log.contains("hook hang, removed: it was killed after 1 s"))
        }
    }

    private static func lines(_ path: String) throws -> [String] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    }
}
