import AddressBook
import Controllers
import Replication
import TestSupport
import Wire

/// One run of a daemon: the real controllers over ports in memory, with turns as the daemon's loop has them.
final class Life {
    let scheduler: LifeScheduler
    let store: MemoryStore
    let replica: Replica
    let committer: Committer
    let login: LoginController
    let list: ListController
    let directory: DirectoryController
    private let device: String
    private let timeline: Timeline
    private var isAwake = false
    private var feeds: [WeakFeed] = []
    private let random: () -> UInt64

    init(_ machine: Machine, _ state: StoreState, world: World) throws {
        let timeline = world.timeline
        self.timeline = timeline
        device = machine.device
        let scheduler = LifeScheduler(timeline)
        self.scheduler = scheduler
        let seed = world.bits()
        let store = MemoryStore(state, scheduler: scheduler, fault: world.fault, seed: seed)
        self.store = store
        let generator = Bits(seed: world.bits())
        random = { generator.next() }
        let fault = world.fault
        replica = Replica(
            latest: HybridTime(bits: state.clock),
            wallClock: { [unowned machine] in machine.clock(timeline.now) },
            random: { [name = machine.name] in fault?.start(of: name) ?? generator.next() }
        )
        let replica = replica
        store.start = { replica.id.bits }
        committer = Committer(store: store) { again in _ = scheduler.after(5000, again) }
        login = LoginController(ownDevice: machine.device, ownName: machine.name, random: random)
        login.peers = Dictionary(
            uniqueKeysWithValues: world.machines.filter { $0 !== machine }.map {
                ($0.device, .init(name: $0.name, device: $0.device, books: ["b"]))
            }
        )
        list = try ListController(
            BookSettings(
                name: "b",
                id: 1,
                region: nil,
                policy: .phone,
                deletionLimit: machine.deletionLimit
            ),
            title: "\(machine.name)'s contact list",
            store: store,
            committer: committer,
            replica: replica,
            factory: AdditionFactory(region: nil, phones: DigitKeys(), hash: world.hash),
            hash: world.hash
        )
        let session = try login.login(.directory, to: [list])
        directory = try DirectoryController(
            list: list,
            session: session,
            folder: machine.folder,
            scheduler: scheduler,
            committer: committer,
            hash: world.hash
        )
        directory.wake = { [weak self] in self?.wake() }
        list.wake = directory.wake
        let threads = Bits(seed: seed &+ 1)
        list.worker = LifeWorker(scheduler) { threads.next() }
        committer.worker = list.worker
        // One person is enough for another thread in every other life.
        list.fewPersons = Int(threads.next() % 2)
        committer.fewRows = list.fewPersons
        if list.fewPersons == 0 { directory.roundShare = 1 }
        committer.onCommit = { [weak self] in self?.wake() }
        machine.folder.scheduler = scheduler
        machine.folder.onReport = { [weak self] names, everything in
            guard let self, self.scheduler.isAlive else { return }
            directory.look(at: names, attributes: [], everything: everything)
            wake()
        }
        directory.start()
        forgetOldOnes()
        wake()
    }

    /// What the daemon does once a day.
    private func forgetOldOnes() {
        let now = replica.now
        let age = UInt64(list.settings.keepDeleted) * Self.day
        if now > age { list.forget(deletedBefore: now - age) }
        wake()
        _ = scheduler.after(3 * Self.day) { [weak self] in self?.forgetOldOnes() }
    }

    static let day: UInt64 = 86_400_000

    /// A feed is the connection's.
    struct WeakFeed {
        weak var feed: FeedController?
    }

    /// Runs a turn soon.
    func wake() {
        guard !isAwake, scheduler.isAlive else { return }
        isAwake = true
        _ = scheduler.after(random() % 8 == 0 ? random() % 50 : 0) { [weak self] in self?.turn() }
    }

    private func turn() {
        isAwake = false
        feeds.removeAll { $0.feed == nil }
        for entry in feeds { entry.feed?.resume() }
        directory.endTurn()
        list.settle()
        let isMoreReady = directory.hasWork || feeds.contains { $0.feed?.hasWork ?? false }
        committer.flush(isMoreReady: isMoreReady)
        if isMoreReady { _ = scheduler.after(1) { [weak self] in self?.wake() } }
    }

    /// Logs a peer in and hands it over to a feed.
    func connect(
        to peer: Machine,
        send: @escaping (Message) -> Void,
        fail: @escaping (String) -> Void
    ) -> FeedController? {
        guard let session = try? login.login(.peer(device: peer.device, name: peer.name), to: [list]) else {
            preconditionFailure("all machines know one another")
        }
        let feed = FeedController(
            list: list,
            session: session,
            ownDevice: device,
            peer: peer.device,
            committer: committer,
            scheduler: scheduler,
            send: send,
            fail: fail
        )
        // Now and then all of it is done in many turns.
        feed.fewRecords = list.fewPersons
        if list.fewPersons == 0 { feed.recordsPerTurn = 2 }
        feeds.append(WeakFeed(feed: feed))
        return feed
    }

    /// What a person types, in a session of its own; the answer comes when it is durable.
    func command(_ command: Command, answer: @escaping () -> Void = {}) {
        guard let session = try? login.login(.command, to: [list]) else {
            preconditionFailure("our own user may always log in")
        }
        list.addController(for: session).add(command)
        list.leave(session)
        committer.afterCommit(answer)
        wake()
    }

    /// A person's word on what is held.
    func resume(deleting: Bool) {
        directory.resume(deleting: deleting)
        if !list.held.isEmpty, let session = try? login.login(.command, to: [list]) {
            list.resume(deleting: deleting, session: session)
            list.leave(session)
        }
        wake()
    }

    var isHeld: Bool { directory.state == "held" || !list.held.isEmpty }
    var isIdle: Bool {
        directory.isIdle && directory.writeFailure == nil && list.isIdle && committer.isIdle && !isAwake
    }

    /// It ends without a word.
    func crash() {
        scheduler.end()
        store.crash()
    }
}

/// Random bits with identity, to be shared by closures.
final class Bits {
    private var generator: SeededGenerator
    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }
    func next() -> UInt64 { generator.next() }
}
