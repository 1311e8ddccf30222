import JSON
import Replication
import TestSupport
import Testing
import Wire

/// Machines, connections between them, and everything that is under way, in an order that a seed decides.
final class TestWorld {
    /// Something that will happen.
    private enum Pending {
        case deliver(connection: Int, to: Int)
        case commit(connection: Int, at: Int, Delivery)
        case rest(connection: Int, at: Int)
        case answer(connection: Int, at: Int, FeedAction)
    }

    /// One connection: the machine and the way in at each end.
    private struct Connection {
        let ends: (Int, Int)
        var machines: [Int: FeedMachine]
        var inbox: [Int: [Message]]
    }

    var stores: [TestStore]
    /// Every message that was sent, in order.
    private(set) var sent: [Message] = []
    private(set) var differs: [Set<UID>] = []
    private(set) var verified: [UInt64: [UID]] = [:]
    private(set) var errors: [WireError] = []
    private var connections: [Int: Connection] = [:]
    private var pending: [Pending] = []
    private var random: SeededGenerator
    private var last = 0

    init(machines: Int, seed: UInt64) {
        random = SeededGenerator(seed: seed)
        stores = (0..<machines).map { TestStore(device: "device\($0)", seed: seed &* 31 &+ UInt64($0)) }
    }

    // MARK: What a test does

    @discardableResult
    func connect(_ a: Int, _ b: Int) -> Int {
        last += 1
        var machines: [Int: FeedMachine] = [:]
        for (own, peer) in [(a, b), (b, a)] {
            machines[own] = FeedMachine(
                book: "book",
                ownDevice: stores[own].device,
                peerDevice: stores[peer].device
            )
        }
        connections[last] = Connection(ends: (a, b), machines: machines, inbox: [a: [], b: []])
        for (own, peer) in [(a, b), (b, a)] {
            let checkpoint = stores[own].checkpoints[stores[peer].device]
            event(last, own) { $0.start(checkpoint: checkpoint) }
        }
        return last
    }

    /// What is on its way is lost; what is being committed is not.
    func cut(_ connection: Int) { connections[connection] = nil }

    func write(_ machine: Int, _ uid: String, _ text: String) {
        stores[machine].write(UID(uid), text)
        headMoved(machine)
    }

    func verify(_ connection: Int, at machine: Int, id: UInt64) {
        event(connection, machine) { machine in
            guard let actions = machine.verify(id: id) else {
                Issue.record("too many verifications")
                return []
            }
            return actions
        }
    }

    func forgetSent() { sent = [] }

    func machine(_ connection: Int, at machine: Int) -> FeedMachine? {
        connections[connection]?.machines[machine]
    }

    /// Hands a message to a machine as if its peer had sent it.
    func inject(_ connection: Int, to machine: Int, _ message: Message) throws(WireError) {
        _ = try connections[connection]?.machines[machine]?.received(message)
    }

    var recordsSent: Int {
        sent.reduce(0) { sum, message in
            switch message {
            case .batch(let batch): sum + batch.records.count
            case .heal(let heal): sum + heal.records.count
            default: sum
            }
        }
    }

    var isProvenEqual: Bool {
        connections.values.allSatisfy { $0.machines.values.allSatisfy(\.isProvenEqual) }
    }

    /// Lets things happen, up to `steps`, or until all is silent.
    func run(steps: Int = 200_000) {
        for _ in 0..<steps {
            guard !pending.isEmpty else { return }
            step()
        }
        if steps == 200_000 { Issue.record("it does not come to rest") }
    }

    // MARK: What happens

    private func step() {
        switch pending.remove(at: next()) {
        case .deliver(let connection, let machine):
            guard let message = connections[connection]?.inbox[machine]?.removeFirst() else { return }
            receive(connection, machine, message)
        case .commit(let connection, let machine, let delivery):
            commit(connection, machine, delivery)
        case .rest(let connection, let machine):
            let total = total(connection, machine)
            event(connection, machine) { $0.digestDue(total) }
        case .answer(let connection, let machine, let action):
            answer(connection, machine, action)
        }
    }

    /// Anything may come next, but commits of one machine keep their order, and timers come when little else is left.
    private func next() -> Int {
        let at = random.below(pending.count)
        switch pending[at] {
        case .commit(_, let machine, _):
            return pending.firstIndex {
                if case .commit(_, machine, _) = $0 { true } else { false }
            } ?? at
        case .rest where !random.chance(0.1):
            return pending.firstIndex { if case .rest = $0 { false } else { true } } ?? at
        default: return at
        }
    }

    private func receive(_ connection: Int, _ machine: Int, _ message: Message) {
        do {
            let read = try Message.decode(Frame(kind: message.kind, payload: message.payload))
            guard let actions = try connections[connection]?.machines[machine]?.received(read) else { return }
            carryOut(connection, machine, actions)
        } catch {
            errors.append(error)
            cut(connection)
        }
    }

    private func commit(_ connection: Int, _ machine: Int, _ delivery: Delivery) {
        guard let peer = peer(connection, machine) else { return }
        do {
            let refused = try stores[machine].apply(delivery, from: stores[peer].device)
            headMoved(machine)
            if !refused.isEmpty {
                carryOut(
                    connection,
                    machine,
                    [.send(.refused(book: "book", uids: refused, isReadOnly: false))]
                )
            }
            event(connection, machine) { $0.committed(delivery.ticket) }
        } catch {
            Issue.record("a record was not read: \(error)")
        }
    }

    private func headMoved(_ machine: Int) {
        let head = stores[machine].head
        for (id, connection) in connections.sorted(by: { $0.key < $1.key })
        where connection.machines[machine] != nil {
            event(id, machine) { $0.headMoved(head) }
        }
    }

    private func peer(_ connection: Int, _ machine: Int) -> Int? {
        connections[connection].map { $0.ends.0 == machine ? $0.ends.1 : $0.ends.0 }
    }

    private func total(_ connection: Int, _ machine: Int) -> ContentHash {
        guard let peer = peer(connection, machine) else { return ContentHash(high: 0, low: 0) }
        return stores[machine].digest(for: stores[peer].device).total(.test)
    }

    private func event(_ connection: Int, _ machine: Int, _ event: (inout FeedMachine) -> [FeedAction]) {
        guard var own = connections[connection]?.machines[machine] else { return }
        let actions = event(&own)
        connections[connection]?.machines[machine] = own
        carryOut(connection, machine, actions)
    }

    private func carryOut(_ connection: Int, _ machine: Int, _ actions: [FeedAction]) {
        guard let peer = peer(connection, machine) else { return }
        for action in actions {
            switch action {
            case .send(let message):
                sent.append(message)
                connections[connection]?.inbox[peer]?.append(message)
                pending.append(.deliver(connection: connection, to: peer))
            case .apply(let delivery):
                pending.append(.commit(connection: connection, at: machine, delivery))
            case .startRestTimer: pending.append(.rest(connection: connection, at: machine))
            case .peerRefused(let uids, _):
                stores[machine].refusedBy[stores[peer].device] = Set(uids)
            case .differs(let uids): differs.append(Set(uids))
            case .verified(let id, let uids): verified[id] = uids
            case .tooLarge: Issue.record("nothing here is large")
            case .checkFollow, .read, .readTotal, .readSums, .readEntries, .readRecords:
                pending.append(.answer(connection: connection, at: machine, action))
            }
        }
    }

    private func answer(_ connection: Int, _ machine: Int, _ action: FeedAction) {
        guard let peer = peer(connection, machine) else { return }
        let (store, device) = (stores[machine], stores[peer].device)
        event(connection, machine) { own in
            switch action {
            case .checkFollow(let after):
                return own.peerFollows(after: after, known: store.knows(after), head: store.head)
            case .read(let after, let rows, _):
                let (some, reached, remaining) = store.read(after: after, limit: rows, for: device)
                return own.read(some, reached: reached, remaining: remaining)
            case .readTotal: return own.totalRead(store.digest(for: device).total(.test))
            case .readSums(let role):
                let digest = store.digest(for: device)
                return own.sumsRead(role, (0..<Digest.bucketCount).map { digest[$0] })
            case .readEntries(let role, let buckets):
                return own.entriesRead(role, store.entries(buckets, for: device))
            case .readRecords(let role, let uids):
                return own.recordsRead(role, uids.compactMap { store.sized($0) })
            default: preconditionFailure("only reads are answered")
            }
        }
    }
}
