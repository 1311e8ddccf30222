import Replication
import Testing
import Wire

@Suite("Login")
struct LoginTests {
    private let own = Hello(device: "here", start: ReplicaID(1), books: ["a"])

    private func greeting() -> HandshakeMachine {
        var machine = HandshakeMachine(ownDevice: "aa")
        #expect(machine.established(device: "bb", hello: own) == .send(.hello(own)))
        return machine
    }

    @Test("a hello logs in, with the highest version of both")
    func login() throws {
        var machine = HandshakeMachine(ownDevice: "aa")
        let ours = Hello(versions: [1, 2, 3], device: "here", start: ReplicaID(1), books: [])
        _ = machine.established(device: "bb", hello: ours)
        let theirs = Hello(versions: [2, 1, 9], device: "there", start: ReplicaID(2), books: ["b"])
        #expect(!machine.isLoggedIn)
        guard case .loggedIn(let login) = try machine.received(.hello(theirs)) else {
            Issue.record("no login")
            return
        }
        #expect(login.device == "bb" && login.hello == theirs && login.version == 2)
        #expect(machine.isLoggedIn)
    }

    @Test("our own device is refused before its hello")
    func ownDevice() {
        var machine = HandshakeMachine(ownDevice: "aa")
        guard case .refuse(.ownDevice, bye: .bye) = machine.established(device: "aa", hello: own) else {
            Issue.record("not refused")
            return
        }
    }

    @Test("without a common version the peer is told so")
    func noVersion() throws {
        var machine = greeting()
        let theirs = Hello(versions: [7], device: "there", start: ReplicaID(2), books: [])
        guard case .refuse(.noCommonVersion(theirs: [7]), bye: .bye) = try machine.received(.hello(theirs))
        else {
            Issue.record("not refused")
            return
        }
        #expect(!machine.isLoggedIn)
    }

    @Test("anything but hello and bye comes too early", arguments: MessageTests.all)
    func early(message: Message) throws {
        var machine = greeting()
        switch message {
        case .hello: return
        case .bye(let reason, let isRefusal):
            #expect(
                try machine.received(message) == .closedByPeer(reason: reason, isRefusal: isRefusal)
            )
        default: #expect(throws: WireError.self) { try machine.received(message) }
        }
    }

    @Test("of two connections both sides keep the same, whatever each saw first")
    func choice() {
        typealias Candidate = ConnectionChoice.Candidate
        let (a, b) = (
            Candidate(start: ReplicaID(1), dialler: "aa"), Candidate(start: ReplicaID(1), dialler: "bb")
        )
        #expect(ConnectionChoice.choose(old: a, new: b) == .keepOld)
        #expect(ConnectionChoice.choose(old: b, new: a) == .keepNew)
        #expect(ConnectionChoice.choose(old: a, new: a) == .keepNew)
        let restarted = Candidate(start: ReplicaID(2), dialler: "bb")
        #expect(ConnectionChoice.choose(old: a, new: restarted) == .keepNew)
    }

    @Test("waits double from 0.2 s to 60 s, jitter takes off at most a quarter, and a reset begins anew")
    func backoff() {
        var backoff = Backoff()
        #expect(
            (0..<11).map { _ in backoff.next(jitter: 0) } == [
                200, 400, 800, 1600, 3200, 6400, 12800, 25600, 51200, 60000, 60000,
            ]
        )
        #expect(backoff.next(jitter: 1) == 45000)
        backoff.reset()
        #expect(backoff.next(jitter: 1) == Backoff.shortest)
    }
}
