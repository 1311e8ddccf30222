import AddressBook
import Contacts
import Controllers
import JSON
import Replication
import TestSupport
import Wire

/// Numbers that begin with a plus are their own key.
struct PlainKeys: PhoneKeying, Sendable {
    var forgetful: any PhoneKeying & Sendable { self }

    func key(of number: String, region: String?) -> String? { number.hasPrefix("+") ? number : nil }
}

/// A list with a login before it, in memory.
final class House {
    static let device = String(repeating: "a1", count: 32)
    static let peer = String(repeating: "b2", count: 32)

    let store = MemoryStore()
    let committer: Committer
    let login: LoginController
    private(set) var list: ListController?
    private let retries = Retries()
    let replica: Replica
    /// The wall clock, milliseconds since 1970; every look moves it on.
    var time: UInt64 {
        get { clock.time }
        set { clock.time = newValue }
    }
    private let clock = Clock()

    private final class Clock {
        var time: UInt64 = 1_000_000
    }

    /// What waits to be tried again.
    private final class Retries {
        var bodies: [() -> Void] = []
    }

    init() throws {
        let retries = retries
        committer = Committer(store: store) { retries.bodies.append($0) }
        var random: UInt64 = 0
        login = LoginController(ownDevice: Self.device, ownName: "laptop") {
            random += 1
            return random
        }
        login.peers = [
            Self.peer: LoginController.Peer(name: "desktop", device: Self.peer, books: ["personal"])
        ]
        // All houses begin with one replica ID: two of them are copies of one process.
        var replicaID: UInt64 = 6
        replica = Replica(latest: .zero) { [clock] in
            clock.time += 1
            return clock.time
        } random: {
            replicaID += 1
            return replicaID
        }
        list = try reload()
    }

    /// A list as the store has it, with other settings than usual.
    func reload(_ adjust: (inout BookSettings) -> Void = { _ in }) throws -> ListController {
        var settings = BookSettings(name: "personal", id: 1, region: nil, policy: .phone, recordLimit: 1000)
        adjust(&settings)
        return try ListController(
            settings,
            title: "laptop's contact list",
            store: store,
            committer: committer,
            replica: replica,
            factory: AdditionFactory(region: nil, phones: PlainKeys(), hash: .test),
            hash: .test
        )
    }

    /// Tries again what has failed.
    func retryCommits() {
        let bodies = retries.bodies
        retries.bodies = []
        for body in bodies { body() }
    }

    /// Lets the list go; whoever still keeps it alive is at fault.
    func dropList() { list = nil }

    func contact(_ name: String, _ phone: String) throws -> ContactItem {
        try ContactItem.read(["name": .string(name), "phone": .string(phone)])
    }
}

extension AddController {
    /// Adds a peer's records as they come in a message.
    @discardableResult
    func add(peerRecords values: [JSONValue]) throws -> Receipt {
        add(peerRecords: try detachedRecords(values.map { .value($0) }))
    }
}
