import Foundation
import JSON
import TLS
import Testing
import Wire

/// Two daemons that do not know each other, and people who make them.
@Suite("Pairing")
struct PairingTests {
    /// Machines that run and know nobody.
    static func with(
        _ names: [String],
        _ options: MachineOptions = MachineOptions(),
        _ body: (World, [Machine]) throws -> Void
    ) throws {
        try World.with { world in
            for name in names { try world.add(name, options).start() }
            try body(world, world.machines)
        }
    }

    /// Brings both to where people compare digits, B dialling A.
    static func comparing(_ a: Machine, _ b: Machine, _ terms: JSONValue = [:]) throws -> (
        a: Talk, b: Talk, digits: String
    ) {
        let waiting = try Talk.waiting(a, terms)
        let dialling = try Talk(b, ["address": .string("127.0.0.1:\(a.port)")])
        let digits = try dialling.digits()
        let there = try waiting.digits()
        guard digits == there, digits.utf8.count == 6 else { throw Failure("\(digits) and \(there)") }
        return (waiting, dialling, digits)
    }

    static func pair(_ a: Machine, _ b: Machine) throws {
        let (atA, atB, digits) = try comparing(a, b)
        atA.confirm(true, digits)
        atB.confirm(true, digits)
        _ = (try atA.result(), try atB.result())
    }

    static func peers(_ machine: Machine) throws -> [JSONValue] {
        try machine.status()["peers"]?.array ?? []
    }

    static func expectConnected(_ machine: Machine, _ name: String) throws {
        try eventually("\(machine.name) is connected with \(name)") {
            let peers = try peers(machine)
            return peers.contains { $0["name"]?.string == name && $0["state"]?.string == "connected" }
                ? nil : JSONWriter.text(.array(peers))
        }
    }

    @Test(
        "By six digits: nothing is stored before both say yes; then the books are shared, also after a restart"
    )
    func digits() throws {
        try Self.with(["A", "B"]) { _, machines in
            let (a, b) = (machines[0], machines[1])
            try a.put(SampleCard(1).text, as: "1.json")
            let (atA, atB, digits) = try Self.comparing(a, b)
            atB.confirm(true, digits)
            #expect(firstChange(within: Window.rest) { (try? Self.peers(a).count) ?? 9 } == nil)
            #expect(try Self.peers(a).isEmpty && Self.peers(b).isEmpty)
            atA.confirm(true, digits)
            let told = try (atA.result()["paired"]?.object, atB.result()["paired"]?.object)
            #expect(told.0?["name"] == "B" && told.1?["name"] == "A")
            #expect(told.0?["device"]?.string == (try b.device()))
            #expect(told.0?["books"] == [.string(Machine.book)])
            // Whoever dialled goes on dialling.
            #expect(told.0?["address"] == .null)
            #expect(told.1?["address"]?.string == "127.0.0.1:\(a.port)")
            try b.expectCount(1, "the book arrives")
            for machine in machines { try machine.restart() }
            try Self.expectConnected(a, "B")
            try b.put(SampleCard(2).text, as: "2.json")
            try a.expectCount(2, "and goes on")
            #expect(try b.cli("complete", "PEER").out == "A\n", "a shell completes it")
            // It stands in no configuration, and the doctor looks at the way to it all the same.
            #expect(try b.cli("doctor").out == "nothing is wrong\n")
            try a.stop()
            try eventually("the doctor finds that it is away") {
                let answer = try b.cli("doctor")
                return answer.exit == 1 && answer.out.contains("A is not connected")
                    && answer.out.contains("$ systemctl --user start contactsync   on A") ? nil : answer.out
            }
        }
    }

    @Test(
        "One no, and both are told; nothing is stored, and the waiting has ended",
        arguments: [true, false]
    )
    func no(isDialler: Bool) throws {
        try Self.with(["A", "B"]) { _, machines in
            let (a, b) = (machines[0], machines[1])
            let (atA, atB, digits) = try Self.comparing(a, b)
            (isDialler ? atA : atB).confirm(true, digits)
            (isDialler ? atB : atA).confirm(false, digits)
            for talk in [atA, atB] { #expect(try talk.refusal().contains("digits were not confirmed")) }
            #expect(try Self.peers(a).isEmpty && Self.peers(b).isEmpty)
            for machine in machines {
                #expect(try machine.status()["pairing"]?.object?["lastFailure"]?.object?["reason"] != nil)
            }
            let again = try Talk(b, ["address": .string("127.0.0.1:\(a.port)")])
            #expect(try again.refusal().contains("does not wait"))
        }
    }

    @Test("A lost database costs no pair: whom a machine trusts lies beside its key")
    func lostDatabase() throws {
        try Self.with(["A", "B"]) { _, machines in
            let (a, b) = (machines[0], machines[1])
            try Self.pair(a, b)
            try a.put(SampleCard(1).text, as: "1.json")
            try b.expectCount(1, "the book arrives")
            try b.stop()
            try b.loseDatabase()
            try b.start()
            try Self.expectConnected(a, "B")
            try b.stop()
            // Damaged, it is named, and nobody is forgotten in silence.
            let file = URL(filePath: b.state + "/peers.json")
            let whole = try Data(contentsOf: file)
            try Data("{}".utf8).write(to: file)
            let refused = try b.launch()
            #expect(refused.wait(Patience.stop) == 1 && b.logEnd.contains("peers.json is damaged"))
            try whole.write(to: file)
            try b.start()
            try Self.expectConnected(a, "B")
        }
    }

    @Test("Who leaves the terminal ends it on the other side at once")
    func leaving() throws {
        try Self.with(["A", "B"]) { _, machines in
            var talks: (a: Talk, b: Talk, digits: String)? = try Self.comparing(machines[0], machines[1])
            let atB = talks?.b
            talks = nil
            try waitUntil("the other is told") {
                try machines[1].status()["pairing"]?.object?["lastFailure"]?.object?["reason"]?.string?
                    .contains("went away") == true
            }
            atB?.confirm(true, "000000")
            #expect(try atB?.refusal().contains("went away") == true)
        }
    }

    @Test("Only the books that both offer are shared; with none in common nothing is stored")
    func books() throws {
        try Self.with(["A", "B"]) { world, machines in
            let (a, b) = (machines[0], machines[1])
            #expect(try Talk(a, ["book": ["nowhere"]]).refusal().contains("there is no book nowhere"))
            let more = ["", "[books.work]", "directory = \"\(world.root)/work\""]
            try a.stop()
            a.options.bookLines = more
            try a.writeConfiguration()
            try a.start()
            var (atA, atB, digits) = try Self.comparing(a, b, ["book": ["work"]])
            for talk in [atA, atB] { talk.confirm(true, digits) }
            for talk in [atA, atB] { #expect(try talk.refusal().contains("no book has the same name")) }
            #expect(try Self.peers(a).isEmpty && Self.peers(b).isEmpty)
            (atA, atB, digits) = try Self.comparing(a, b)
            for talk in [atA, atB] { talk.confirm(true, digits) }
            #expect(try atA.result()["paired"]?.object?["books"] == [.string(Machine.book)])
            try waitUntil("and both are in sync") { try a.cli("sync").exit == 0 }
        }
    }

    @Test("By invitation: without a question, once, within ten minutes, for who has the whole of it")
    func invitation() throws {
        var options = MachineOptions()
        options.hasOwnClock = Executables.clockShifter != nil
        try Self.with(["A", "B", "C"], options) { _, machines in
            let (a, b, c) = (machines[0], machines[1], machines[2])
            func invite() throws -> String {
                let answer = try a.must("pair", "--invite", "--json")
                return try #require(answer.json?["address"]?.string)
            }
            let address = try invite()
            // One digit of the secret is another one.
            let wrong = address.dropLast() + (address.last == "0" ? "1" : "0")
            let refused = try c.cli("pair", String(wrong))
            #expect(refused.exit == 4 && refused.err.contains("no such invitation"), "\(refused)")
            #expect(
                try a.status()["pairing"]?.object?["lastFailure"]?.object?["device"]?.string == c.device()
            )
            let answer = try b.must("pair", address)
            #expect(answer.out == "paired with A: \(Machine.book)\n")
            try Self.expectConnected(a, "B")
            let second = try c.cli("pair", address)
            #expect(second.exit == 4 && second.err.contains("invitation"), "\(second)")
            #expect(try Self.peers(a).count == 1 && Self.peers(c).isEmpty)
            guard options.hasOwnClock else { return }
            let late = try invite()
            try a.setClock("+11m")
            let expired = try c.cli("pair", late)
            #expect(expired.exit == 4 && expired.err.contains("new invitation"), "\(expired)")
            #expect(try Self.peers(a).count == 1)
        }
    }

    @Test("A proof that was seen in one session is worth nothing in another")
    func replay() throws {
        try Self.with(["A"]) { _, machines in
            let a = machines[0]
            let mallory = try identity(a, "mallory")
            let text = try a.must("pair", "--invite", "--json").json?["address"]?.string ?? ""
            let invitation = try #require(Invitation(text))
            let first = try Stranger(dialling: a.port, as: mallory)
            var machine = PairingMachine(
                try first.transcript(dialled: true, own: mallory.deviceID),
                by: .invitation(secret: invitation.secret),
                offer: PairingOffer(name: "M", books: []),
                nonce: [UInt8](repeating: 0, count: 16)
            )
            guard case .send(let proof)? = machine.begin().first else { throw Failure("no proof") }
            // It was seen, but did not get through.
            first.socket.shutDown()
            try waitUntil("it has ended") {
                try a.status()["pairing"]?.object?["lastFailure"] != .null
            }
            let second = try Stranger(dialling: a.port, as: mallory)
            try second.send(proof)
            guard case .bye(let reason)? = try second.next() else { throw Failure("not refused") }
            #expect(reason.contains("no such invitation"))
            #expect(try Self.peers(a).isEmpty)
        }
    }

    @Test(
        "A man in the middle with two TLS sessions cannot pass the commitment on, nor make the digits equal"
    )
    func manInTheMiddle() throws {
        try Self.with(["A", "B"]) { _, machines in
            let (a, b) = (machines[0], machines[1])
            let mallory = try identity(a, "mallory")
            // He passes on what he hears.
            var middle = try Middle(between: b, and: a, as: mallory)
            middle.relay()
            #expect(try middle.dialling.refusal().contains("broke its commitment"))
            try waitUntil("the other side is told") {
                try a.status()["pairing"]?.object?["lastFailure"]?.object?["reason"]?.string?
                    .contains("broke its commitment") == true
            }
            // He pairs with each of them himself, as well as he can.
            middle = try Middle(between: b, and: a, as: mallory)
            try middle.pairWithBoth(mallory.deviceID)
            let shown = try (middle.dialling.digits(), middle.waiting.digits())
            // One in a million.
            #expect(shown.0 != shown.1)
            middle.dialling.confirm(false, shown.0)
            middle.waiting.confirm(false, shown.1)
            for talk in [middle.dialling, middle.waiting] {
                #expect(try talk.refusal().contains("not confirmed"))
            }
            // An invitation names the key that answers.
            let text = try a.must("pair", "--invite", "--json").json?["address"]?.string ?? ""
            let listener = try Socket.listening(middle.port)
            defer { listener.shutDown() }
            let detour = text.replacing(":\(a.port)/", with: ":\(middle.port)/")
            let talk = try Talk(b, ["address": .string(detour)])
            let socket = try #require(listener.accepted())
            #expect(throws: (any Error).self) {
                try Stranger(accepting: socket, as: mallory).next()
            }
            #expect(try talk.refusal().contains("another machine answers"))
            #expect(try Self.peers(a).isEmpty && Self.peers(b).isEmpty)
        }
    }

    @Test("While one waits, strangers still get nowhere but to pairing, and with nothing but its messages")
    func onlyPairing() throws {
        try Self.with(["A"]) { _, machines in
            let a = machines[0]
            let mallory = try identity(a, "mallory")
            let waiting = try Talk.waiting(a)
            #expect(throws: (any Error).self) {
                try Stranger(dialling: a.port, as: mallory, pairing: false).next()
            }
            let hello = Array(#"{"versions":[1],"device":"m","start":"0000000000000001","books":[]}"#.utf8)
            for frame in [
                Frame(kind: .hello, payload: hello), Frame(kind: .pairing, payload: Array("{}".utf8)),
                PairingMessage.confirm(PairingOffer(name: "M", books: [Machine.book])).frame,
                PairingMessage.nonce([UInt8](repeating: 0, count: 16)).frame,
            ] {
                let stranger = try Stranger(dialling: a.port, as: mallory)
                try stranger.send(frame)
                guard case .bye? = try stranger.next() else { throw Failure("\(frame) is not refused") }
                #expect(try stranger.next() == nil)
            }
            // A few at a time, who keep nobody else out.
            let silent = try (1..<16).map { _ in try Stranger(dialling: a.port, as: mallory) }
            let last = try Stranger(dialling: a.port, as: mallory)
            try last.send(.compare)
            #expect(try last.next() != nil)
            #expect(throws: (any Error).self) { try Stranger(dialling: a.port, as: mallory).next() }
            for stranger in silent + [last] { stranger.socket.shutDown() }
            // None of this has ended the waiting, and it stores nothing.
            #expect(try a.status()["pairing"]?.object?["waiting"] == true)
            #expect(try Self.peers(a).isEmpty)
            _ = waiting
        }
    }

    @Test("Strangers who were let in and say nothing keep nobody from pairing, and see nothing of it")
    func silentStrangers() throws {
        try Self.with(["A", "B", "C"]) { _, machines in
            let (a, b, c) = (machines[0], machines[1], machines[2])
            let mallory = try identity(a, "mallory")
            func invite() throws -> String {
                try a.must("pair", "--invite", "--json").json?["address"]?.string ?? ""
            }
            let (first, second) = (try invite(), try invite())
            let stranger = try Stranger(dialling: a.port, as: mallory)
            _ = try b.must("pair", first)
            // He would have known of it.
            guard case .bye(let reason)? = try stranger.next() else { throw Failure("he is not sent away") }
            #expect(reason.contains("another machine was faster"))
            let other = try Stranger(dialling: a.port, as: mallory)
            let (atA, atC, digits) = try Self.comparing(a, c)
            for talk in [atA, atC] { talk.confirm(true, digits) }
            #expect(try atA.result()["paired"]?.object?["name"] == "C")
            #expect(try Self.peers(a).count == 2)
            other.socket.shutDown()
            #expect(try c.cli("pair", first).exit == 4)
            _ = try c.must("pair", second)
        }
    }

    @Test("At the terminal: both are asked, and both are told")
    func terminal() throws {
        guard Executables.tool("script") != nil else { return }
        try Self.with(["A", "B"]) { _, machines in
            let a = try Terminal(machines[0], "pair")
            try a.expect("contactsync pair 127.0.0.1:\(machines[0].port)")
            try waitUntil("A waits") {
                try machines[0].status()["pairing"]?.object?["waiting"] == true
            }
            let b = try Terminal(machines[1], "pair 127.0.0.1:\(machines[0].port)")
            for terminal in [a, b] {
                try terminal.expect("[y/n]")
                terminal.type("what?\n")
                terminal.type("y\n")
            }
            try a.expect("paired with B: \(Machine.book)")
            try b.expect("paired with A: \(Machine.book)")
            #expect(try machines[0].cli("pair").exit == 2, "no terminal, no question")
        }
    }

    private func identity(_ machine: Machine, _ name: String) throws -> Identity {
        try Identity.load(directory: machine.home + "/" + name)
    }
}
