import AddressBook
import Contacts
import Controllers
import JSON
import Replication
import Wire

/// One honest machine: the real controllers over ports in memory.
final class HonestMachine {
    let device: String
    let replica: Replica
    let committer: Committer
    let login: LoginController
    private let store = ClaimStore()
    private let timers: ManualTimers
    private var feeds: [() -> Void] = []
    private(set) var list: ListController

    init(device: String, peers: [String], timers: ManualTimers) {
        self.device = device
        self.timers = timers
        var random = UInt64(device.utf8.first ?? 0) << 32
        func next() -> UInt64 {
            random += 1
            return random
        }
        replica = Replica(latest: .zero, wallClock: { timers.wallClock }, random: next)
        committer = Committer(store: store) { _ in }
        login = LoginController(ownDevice: device, ownName: device, random: next)
        for peer in peers { login.peers[peer] = .init(name: peer, device: peer, books: [Self.book]) }
        list = Self.load(store, committer, replica)
    }

    static let book = "b"

    /// The list as the store has it.
    func reloaded() -> ListController { Self.load(store, Committer(store: store) { _ in }, replica) }

    private static func load(_ store: ClaimStore, _ committer: Committer, _ replica: Replica)
        -> ListController
    {
        do {
            return try ListController(
                BookSettings(name: book, id: 1, region: nil, policy: .phone),
                title: "",
                store: store,
                committer: committer,
                replica: replica,
                factory: AdditionFactory(region: nil, phones: PlusKeys(), hash: Claim.hash),
                hash: Claim.hash
            )
        } catch { preconditionFailure("a list can be loaded: \(error)") }
    }

    /// Our own user does something.
    func command(_ body: (AddController) -> Void) {
        guard let session = try? login.login(.command, to: [list]) else {
            preconditionFailure("our own user may log in")
        }
        body(list.addController(for: session))
        list.leave(session)
    }

    func add(_ uid: String, _ name: String, _ phone: String) {
        command { add in
            guard let item = try? ContactItem.read(["name": .string(name), "phone": .string(phone)]) else {
                preconditionFailure("a contact is one")
            }
            add.add(add.saved(item), uid: UID(uid))
        }
    }

    func feed(
        of peer: String,
        send: @escaping (Message) -> Void,
        fail: @escaping (String) -> Void
    ) -> FeedController {
        guard let session = try? login.login(.peer(device: peer, name: peer), to: [list]) else {
            preconditionFailure("a peer that is listed may log in")
        }
        let feed = FeedController(
            list: list,
            session: session,
            ownDevice: device,
            peer: peer,
            committer: committer,
            scheduler: timers,
            send: send,
            fail: fail
        )
        feeds.append { [weak feed] in feed?.resume() }
        return feed
    }

    /// Ends a turn of the loop.
    func turn() {
        for resume in feeds { resume() }
        list.settle()
        committer.flush()
    }
}

/// Numbers that begin with a plus are their own key.
private struct PlusKeys: PhoneKeying, Sendable {
    var forgetful: any PhoneKeying & Sendable { self }

    func key(of number: String, region: String?) -> String? { number.hasPrefix("+") ? number : nil }
}

/// Timers that fire when the test says so.
final class ManualTimers: Scheduler {
    private(set) var uptime: UInt64 = 0
    private var timers: [(id: Int, at: UInt64, body: () -> Void)] = []
    private var lastID = 0

    var wallClock: UInt64 { 1_700_000_000_000 + uptime }
    var isEmpty: Bool { timers.isEmpty }

    func after(_ milliseconds: UInt64, _ body: @escaping () -> Void) -> () -> Void {
        lastID += 1
        let id = lastID
        timers.append((id, uptime + milliseconds, body))
        return { [weak self] in self?.timers.removeAll { $0.id == id } }
    }

    /// Fires what is due within a time.
    func advance(_ milliseconds: UInt64) {
        uptime += milliseconds
        let due = timers.filter { $0.at <= uptime }
        timers.removeAll { $0.at <= uptime }
        for timer in due { timer.body() }
    }
}
