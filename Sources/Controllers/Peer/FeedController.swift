import AddressBook
import JSON
package import Replication
package import Wire

/// Runs the feed machine of one shared book on one connection: carries out its actions against the list and store.
package final class FeedController {
    package let list: ListController
    package let session: SessionID
    let peer: String
    let committer: Committer
    private let scheduler: any Scheduler
    var machine: FeedMachine
    private let send: (Message) -> Void
    let fail: (String) -> Void
    private var cancelRest: (() -> Void)?
    /// Comparisons that wait until what is known is durable.
    private var owed: [FeedAction] = []
    var isOpen = true
    private var queue: [FeedAction] = []
    private var isPerforming = false
    /// Whether a batch may be begun; where the peer has much to read, not.
    package var mayRead: () -> Bool = { true }
    /// The batch that waits for that.
    private var owedRead: FeedAction?
    /// Whether there is room for what the peer sends.
    package var mayTake: () -> Bool = { true }
    /// What was delivered and is not taken in yet, in order; the peer's window bounds it.
    var arrivals: [Arrival] = []
    /// Records added in one turn of the loop: some milliseconds of work.
    package var recordsPerTurn = 32
    /// No more records than these are not worth another thread.
    package var fewRecords = 4
    /// Records that the peer holds back or refused.
    private var refusedThere: Set<UID> = []
    /// Records of the peer that are held here.
    private var refusedHere: Set<UID> = []
    /// The list's count of refusals when the peer was told last.
    private var refusals = 0
    /// Whether the peer refuses what we send because we may only read its book.
    package private(set) var isReadOnlyThere = false
    /// Called when either side leaves out others than before.
    package var onRefusal: (FeedController) -> Void = { _ in }
    /// What stays different, whatever is sent.
    package private(set) var different: [UID] = []
    private var verifications: [UInt64: ([UID]?) -> Void] = [:]
    private var lastVerification: UInt64 = 0

    /// - Parameters:
    ///   - session: the peer's session, logged in to the list.
    ///   - ownDevice: our device ID.
    ///   - peer: the peer's device ID.
    ///   - send: sends a message to the peer.
    ///   - fail: ends the connection with a reason.
    package init(
        list: ListController,
        session: SessionID,
        ownDevice: String,
        peer: String,
        committer: Committer,
        scheduler: any Scheduler,
        send: @escaping (Message) -> Void,
        fail: @escaping (String) -> Void
    ) {
        self.list = list
        self.session = session
        self.peer = peer
        self.committer = committer
        self.scheduler = scheduler
        self.send = send
        self.fail = fail
        machine = FeedMachine(book: list.settings.name, ownDevice: ownDevice, peerDevice: peer)
        list.observe(self)
    }

    /// Begins: asks for what the peer has that we do not.
    package func start() {
        do {
            let checkpoint = try list.store.checkpoint(list.settings.id, peer: peer)
            perform(machine.start(checkpoint: checkpoint.map { FeedPosition(seq: $0.seq, mark: $0.mark) }))
            if !isReadOnly { list.forgetRefused(from: peer) }
            if !list.leftOutUIDs(from: peer).isEmpty { nameRefused() }
        } catch { fail(error.reason) }
    }

    /// The peer said something about this book.
    package func received(_ message: Message, bytes: Int = 0) {
        guard isOpen else { return }
        do { perform(try machine.received(message, bytes: bytes)) } catch { fail(error.description) }
    }

    /// The connection ended; what was asked for is answered with nothing.
    package func close() {
        isOpen = false
        arrivals = []
        cancelRest?()
        list.leave(session)
        for (_, done) in verifications { done(nil) }
        verifications = [:]
    }

    /// Whether what the peer sends of this book is refused here.
    package var isReadOnly: Bool { list.sessions[session]?.isReadOnly ?? false }
    /// How many of the peer's records are refused here, and how many of ours there, held ones included.
    package var refusedCounts: (here: Int, there: Int) { (refusedHere.count, refusedThere.count) }
    package var toSend: Int? { machine.toSend }
    package var toReceive: Int? { machine.toReceive }
    /// Whether each side holds what the other holds, as far as acknowledged.
    package var isCaughtUp: Bool { machine.isCaughtUp }
    /// Whether the socket should be left unread for a while.
    package var isFull: Bool { machine.isFull }

    /// Compares with the peer; `done` gets what differs, nil if that cannot be said.
    package func verify(_ done: @escaping ([UID]?) -> Void) {
        lastVerification += 1
        guard let actions = machine.verify(id: lastVerification) else { return done(nil) }
        verifications[lastVerification] = done
        perform(actions)
    }

    /// Takes and begins what waits, if that may be done now.
    package func resume() {
        takeSome()
        guard isOpen, let owed = owedRead, mayRead() else { return }
        owedRead = nil
        perform([owed])
    }

    /// Carries actions out in order; what they lead to comes after them, not within them.
    func perform(_ actions: [FeedAction]) {
        queue += actions
        guard !isPerforming else { return }
        isPerforming = true
        defer { isPerforming = false }
        while isOpen, !queue.isEmpty { perform(queue.removeFirst()) }
    }

    private func perform(_ action: FeedAction) {
        guard isOpen else { return }
        switch action {
        case .send(let message):
            send(message)
        case .checkFollow(let after):
            let checkpoint = after.map { Checkpoint(seq: $0.seq, mark: $0.mark) } ?? .start
            let known = (try? list.store.knows(list.settings.id, checkpoint)) ?? false
            perform(machine.peerFollows(after: after, known: known, head: list.committedHead))
        case .read(let after, let rows, let bytes):
            guard mayRead() else {
                owedRead = action
                return
            }
            read(after, rows, bytes)
        case .apply(let delivery):
            arrive(delivery)
        case .startRestTimer:
            cancelRest?()
            cancelRest = scheduler.after(FeedMachine.rest) { [weak self] in
                guard let self else { return }
                cancelRest = nil
                whenDurable(.startRestTimer)
            }
        case .readTotal, .readSums, .readEntries, .readRecords:
            whenDurable(action)
        case .peerRefused(let uids, let isReadOnly):
            refusedThere = Set(uids)
            isReadOnlyThere = isReadOnly
            onRefusal(self)
        case .differs(let uids):
            different = uids
        case .verified(let id, let uids):
            verifications.removeValue(forKey: id)?(uids)
        case .tooLarge(let uid, let bytes):
            list.complain(
                "the contact \(uid.text) is too large to be sent (\(bytes) bytes); take out its photo, or some of its entries",
                about: uid
            )
        }
    }

    private func read(_ after: UInt64, _ limit: Int, _ bytes: Int) {
        do {
            let rows = try list.store.records(
                list.settings.id,
                after: after,
                limit: limit,
                maxBytes: bytes,
                withoutBodiesFrom: peer
            )
            let head = list.committedHead
            let reached = max(after, rows.last?.seq ?? head)
            let marks = try marks(of: rows)
            let feed = zip(rows, marks).map { feedRow($0, mark: $1) }
            perform(machine.read(feed, reached: reached, remaining: Int(head > reached ? head - reached : 0)))
        } catch { fail(error.reason) }
    }

    /// A mark is that of a start, so that all rows between two of one start have it too.
    private func marks(of rows: [RecordRow]) throws(StoreFailure) -> [UInt64] {
        func mark(_ row: RecordRow) throws(StoreFailure) -> UInt64 {
            try list.store.mark(list.settings.id, of: row.seq)
        }
        guard let first = rows.first, let last = rows.last else { return [] }
        let (oldest, newest) = (try mark(first), try mark(last))
        guard oldest != newest else { return rows.map { _ in newest } }
        return try rows.map(mark)
    }

    private func feedRow(_ row: RecordRow, mark: UInt64) -> FeedRow {
        let position = FeedPosition(seq: row.seq, mark: mark)
        guard row.origin != peer, !row.isDamaged, !row.body.isEmpty else {
            return FeedRow(position: position, record: nil)
        }
        return FeedRow(position: position, record: Self.sized(row.uid, row.body))
    }

    /// A record on its way out, as the text that `RecordCoding` wrote; what the peer would have to refuse counts as too
    /// large. A text that is not damaged is what was written, so only a long one is read here; nil if it is no record.
    private static func sized(_ uid: UID, _ text: [UInt8]) -> SizedRecord? {
        let form = RecordForm.text(text)
        var isSound = uid.text.utf8.count <= RecordLimits.uidBytes
        if text.count > RecordLimits.soundTextBytes {
            guard let record = try? form.decoded() else { return nil }
            isSound = RecordLimits.flaw(in: record) == nil
        }
        return SizedRecord(uid: uid, form: form, bytes: text.count, isSound: isSound)
    }

    /// Names to the peer what is held or refused here; both leave it out of their comparisons.
    package func nameRefused() {
        refusedHere = list.leftOutUIDs(from: peer)
        refusals = list.refusals
        guard refusedHere.count <= WireLimits.refusedUIDs else {
            return fail("more than \(WireLimits.refusedUIDs) of the contacts that were sent are refused here")
        }
        send(.refused(book: list.settings.name, uids: refusedHere.sorted(), isReadOnly: isReadOnly))
        perform(machine.digestChanged())
        onRefusal(self)
    }

    private var leftOut: Set<UID> { refusedThere.union(refusedHere) }

    // MARK: Comparing

    /// Answers at once if all that is known is durable, else after the commit that makes it so.
    private func whenDurable(_ action: FeedAction) {
        owed.append(action)
        answerOwed()
    }

    private func answerOwed() {
        while isOpen, list.isIdle, !owed.isEmpty { answer(owed.removeFirst()) }
    }

    private func answer(_ action: FeedAction) {
        switch action {
        case .startRestTimer: perform(machine.digestDue(list.total(without: leftOut)))
        case .readTotal: perform(machine.totalRead(list.total(without: leftOut)))
        case .readSums(let role): perform(machine.sumsRead(role, list.sums(without: leftOut)))
        case .readEntries(let role, let buckets):
            perform(machine.entriesRead(role, list.entries(buckets, without: leftOut)))
        case .readRecords(let role, let uids):
            let records = uids.compactMap { uid in
                list.record(uid).flatMap { Self.sized(uid, RecordCoding.bytes($0)) }
            }
            perform(machine.recordsRead(role, records))
        default: preconditionFailure("only comparisons wait for a commit")
        }
    }
}

extension FeedController: ListObserver {
    package func list(_ list: ListController, didSettle dirty: Set<UID>) {}

    package func listFoundDamage(_ list: ListController) {
        guard isOpen else { return }
        // Found in the middle of answering, perhaps; told when that is done.
        _ = scheduler.after(0) { [weak self] in
            guard let self else { return }
            perform(machine.damageFound())
        }
    }

    package func list(_ list: ListController, didCommit head: UInt64) {
        guard isOpen else { return }
        if isReadOnly, refusals != list.refusals { nameRefused() }
        perform(machine.headMoved(head))
        answerOwed()
    }
}
