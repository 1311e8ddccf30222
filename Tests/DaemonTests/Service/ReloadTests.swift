import Foundation
import JSON
import Testing

/// SIGHUP: what changed takes effect, and who is not concerned notices nothing.
@Suite("SIGHUP")
struct ReloadTests {
    /// A machine that is told something new, and one that is not concerned and must stay connected.
    private func withPair(_ body: (_ subject: Machine, _ witness: Machine, World) throws -> Void) throws {
        try World.with(["A", "B"]) { world, machines in
            let (a, b) = (machines[0], machines[1])
            let session = try self.session(a, with: "B")
            try body(a, b, world)
            #expect(try self.session(a, with: "B") == session, "B stays connected")
            try a.put(SampleCard(900).text, as: "900.json")
            try waitUntil("and hears of what is new") { try b.person(SampleCard(900).uid) != nil }
        }
    }

    private func session(_ machine: Machine, with peer: String) throws -> String {
        let entry = try machine.status()["peers"]?.array?.first { $0["name"]?.string == peer }
        guard let session = entry?["session"]?.string else { throw Failure("\(peer) is not connected") }
        return session
    }

    private func edit(_ machine: Machine, _ change: (String) -> String) throws {
        let text = try String(contentsOfFile: machine.configuration, encoding: .utf8)
        try change(text).write(toFile: machine.configuration, atomically: true, encoding: .utf8)
    }

    /// Sends SIGHUP and waits until the log says a sentence.
    private func reload(_ machine: Machine, until sentence: String = "the configuration was read again")
        throws
    {
        let before = try log(machine).count
        machine.hangUp()
        try waitUntil("the log says: \(sentence)") { try log(machine).dropFirst(before).contains(sentence) }
    }

    private func log(_ machine: Machine) throws -> String {
        try String(contentsOfFile: machine.log, encoding: .utf8)
    }

    private func bookNames(_ machine: Machine) throws -> [String] {
        try machine.status()["books"]?.array?.compactMap { $0["name"]?.string } ?? []
    }

    @Test("adds peers and books, and removes them")
    func comeAndGo() throws {
        try withPair { a, b, world in
            let c = try world.add("C")
            let tables = """

                [books.work]
                directory = "\(a.home)/work"

                """
            try edit(c) {
                $0 + tables.replacing(a.home, with: c.home)
                    + "[peers.A]\nid = \"\(try! a.device())\"\nbooks = [\"work\", \"personal\"]\n"
            }
            try c.start()
            let peer =
                "[peers.C]\nid = \"\(try c.device())\"\naddress = \"127.0.0.1:\(c.port)\"\nbooks = [\"work\", \"personal\"]\n\n"
            // In front of B, whose place in the file is another one now.
            try edit(a) {
                $0.replacing("[peers.B]", with: peer.replacing("\"work\", ", with: "") + "[peers.B]")
            }
            try reload(a)
            try waitUntil("C is connected") { (try? session(a, with: "C")) != nil }

            try edit(a) {
                $0.replacing("[\"personal\"]\n\n[peers.B]", with: "[\"work\", \"personal\"]\n\n[peers.B]")
                    + tables
            }
            try reload(a)
            #expect(try bookNames(a) == ["personal", "work"])
            try write(SampleCard(1), a.home + "/work/1.json")
            try waitUntil("the new book reaches C") {
                FileManager.default.fileExists(atPath: c.home + "/work/Person 001.json")
            }

            let with = try String(contentsOfFile: a.configuration, encoding: .utf8)
            try edit(a) {
                $0.replacing(tables, with: "\n").replacing("[\"work\", \"personal\"]", with: "[\"personal\"]")
            }
            try reload(a)
            #expect(try bookNames(a) == ["personal"])
            #expect(FileManager.default.fileExists(atPath: a.home + "/work/1.json"), "its files stay")
            try write(SampleCard(2), a.home + "/work/2.json")
            try write(SampleCard(3), c.home + "/work/3.json")
            try edit(a) { _ in with }
            try reload(a)
            try waitUntil("it goes on where it ended, on both sides") {
                FileManager.default.fileExists(atPath: c.home + "/work/Person 002.json")
                    && FileManager.default.fileExists(atPath: a.home + "/work/Person 003.json")
            }

            try edit(a) { $0.replacing(peer, with: "") }
            try reload(a)
            #expect(try a.status()["peers"]?.array?.count == 1)
        }
    }

    private func write(_ card: SampleCard, _ path: String) throws {
        try Data(card.text.utf8).write(to: URL(filePath: path), options: .atomic)
    }

    @Test("lets a book that much is being written for go on where it was")
    func whileWriting() throws {
        try World.with(["A", "B"]) { _, machines in
            let (a, b) = (machines[0], machines[1])
            let count = 400
            try edit(b) { $0.replacing("region = \"GB\"", with: "region = \"GB\"\nkeep-deleted = 20") }
            for n in 1...count { try a.put(SampleCard(n).text, as: "\(n).json") }
            func written() -> Int { b.files().count }
            try waitUntil("B begins to write") { written() > 0 }
            for days in 21...25 {
                try edit(b) { $0.replacing("keep-deleted = \(days - 1)", with: "keep-deleted = \(days)") }
                try reload(b)
            }
            try b.expectCount(count, "all are known")
            try waitUntil("each has its one file") { written() == count }
            try waitUntil("and nothing is left to do") {
                try b.status()["books"]?.array?.first?["state"]?.string == "idle"
            }
            #expect(written() == count)
        }
    }

    @Test("lets a book's region and rules, the name and the port take effect")
    func settings() throws {
        try World.with(["A"]) { _, machines in
            let a = machines[0]
            try a.put(#"{"name": "Ana Holm", "phone": "020 7946 0001"}"#, as: "ana.json")
            try a.expectCount(1, "it is read")
            let port = try Ports.free()
            try edit(a) {
                $0.replacing("region = \"GB\"", with: "region = \"DE\"\ndeduplicate = \"suggest\"")
                    .replacing("127.0.0.1:\(a.port)", with: "127.0.0.1:\(port)")
                    .replacing("name = \"A\"", with: "name = \"Anna\"")
            }
            try reload(a)
            let status = try a.status()
            #expect(status["listening"]?.integer == Int64(port))
            #expect(status["name"]?.string == "Anna")
            #expect(status["books"]?.array?.first?["title"]?.string == "Anna's contact list")
            try a.put(#"{"name": "Ben Roth", "phone": "030 23125001"}"#, as: "ben.json")
            try a.put(#"{"name": "B. Roth", "phone": "+49 30 23125001"}"#, as: "b.json")
            try a.expectCount(3, "no two are merged by the new policy")
            #expect(try a.cli("lookup", "+49 30 23125001").out.contains("Ben Roth"))
        }
    }

    @Test("refuses a configuration that is wrong, with its lines, and stays as it was")
    func wrong() throws {
        try withPair { a, _, _ in
            let good = try String(contentsOfFile: a.configuration, encoding: .utf8)
            try edit(a) {
                $0.replacing("[books.personal]", with: "[books.persnal]\ndirectry = \"~/x\"") + "\nno = 1\n"
            }
            try reload(a, until: "config.toml")
            try waitUntil("each problem has its line") {
                let text = try log(a)
                return text.contains("unknown key directry in [books.persnal]; did you mean directory?")
                    && text.contains("unknown key no")
            }
            #expect(try bookNames(a) == ["personal"])
            try edit(a) { _ in good }
            try reload(a)
        }
    }

    @Test("goes on listening where the new port is taken, and says what waits for the next start")
    func waiting() throws {
        try withPair { a, b, _ in
            try edit(a) {
                $0.replacing("127.0.0.1:\(a.port)", with: "127.0.0.1:\(b.port)")
                    .replacing("/state\"", with: "/elsewhere/state\"")
            }
            try reload(a)
            let text = try log(a)
            #expect(text.contains("it listens as before"))
            #expect(text.contains("`state` is new in the configuration; start contactsyncd anew for it"))
            #expect(try a.status()["listening"]?.integer == Int64(a.port))
        }
    }
}
