package import AddressBook
import Contacts
package import JSON
package import Replication

/// What a book is, as the configuration says.
package struct BookSettings: Sendable {
    package var name: String
    package var id: BookID
    package var region: String?
    package var policy: Policy
    /// Share of the book, in percent, that may be deleted within an hour without a person's word.
    package var deletionLimit: Int
    /// How long deleted contacts and replaced bytes are kept, days.
    package var keepDeleted: Int
    /// Records that peers may make it hold. A million is what buckets and lists are made for, and beyond any address book.
    package var recordLimit: Int
    /// Bytes of memory that the profiles of those records may take: a million takes half of it. Without it a few records, each
    /// with ten thousand numbers, would take all that there is.
    package var profileLimit: Int
    /// Bytes of a peer's records that are held until a person decides, above which nothing more is taken from it: they stay in memory.
    package var heldLimit: Int
    /// Counters of a peer's records that are noted as refused, above which nothing more is taken from it: ten for each of as
    /// many records as it may name.
    package var refusedLimit: Int

    package init(
        name: String,
        id: BookID,
        region: String?,
        policy: Policy,
        deletionLimit: Int = 30,
        keepDeleted: Int = 30,
        recordLimit: Int = 1_000_000,
        profileLimit: Int = 256 << 20,
        heldLimit: Int = 256 << 20,
        refusedLimit: Int = 1_000_000
    ) {
        self.name = name
        self.id = id
        self.region = region
        self.policy = policy
        self.deletionLimit = deletionLimit
        self.keepDeleted = keepDeleted
        self.recordLimit = recordLimit
        self.profileLimit = profileLimit
        self.heldLimit = heldLimit
        self.refusedLimit = refusedLimit
    }
}

/// Who wants to know what became of the list.
package protocol ListObserver: AnyObject {
    /// Persons were judged anew: these records belong to persons whose card may be another than before.
    func list(_ list: ListController, didSettle dirty: Set<UID>)
    /// What was added is durable; the feed ends at `head` now.
    func list(_ list: ListController, didCommit head: UInt64)
    /// A stored record was found damaged: what we hold is less than what we said.
    func listFoundDamage(_ list: ListController)
}

extension ListObserver {
    package func listFoundDamage(_ list: ListController) {}
}

/// The list of one book: merges what its add controllers bring, finds who is the same, stores, and tells.
///
/// It keeps a table of the sessions that may add and has no current one. Commit comes before broadcast: observers
/// hear of a change for the world only when it is durable.
package final class ListController {
    /// One session that may add.
    package struct SessionEntry {
        package let origin: Origin
        package let title: String
        /// Whether what it brings is refused.
        package let isReadOnly: Bool
        /// The session's door; the list owns it.
        package fileprivate(set) var add: AddController?
    }

    /// A record that is newer than the store's.
    struct Loaded {
        var record: Record
        var origin: String?
    }

    package let settings: BookSettings
    /// Whose list it is, for people.
    package var title: String
    let store: any Store
    let committer: Committer
    let replica: Replica
    let hash: HashFunction
    /// Builds what is added here; knows how this book reads numbers.
    package let factory: AdditionFactory
    /// The sessions that are open, by ID.
    package private(set) var sessions: [SessionID: SessionEntry] = [:]
    private var observers: [WeakObserver] = []

    /// Records changed since the store last committed.
    var overlay: [UID: Loaded] = [:]
    /// What was read from the store for an addition that is being taken in; nil: none is. An edit asks for its record
    /// twice, and so does who joins a peer's; each reading is a twentieth of the work of a lone change.
    var fetched: [UID: Loaded]?
    /// Changed since the last batch was collected.
    var pending: Set<UID> = []
    var inFlight: Set<UID> = []
    /// Profiles that the index has not seen.
    var unjudged: [UID: Profile?] = [:]
    var unjudgedShared: [String: SharedMark?] = [:]
    var dirty: Set<UID> = []

    package internal(set) var index: PersonsIndex
    /// The deleted records, by uid.
    package internal(set) var dead: [UID: DeadNote] = [:]
    package internal(set) var digest = Digest()
    /// The number of the last change, staged ones included.
    package internal(set) var head: UInt64 = 0
    /// The number of the last durable change.
    package internal(set) var committedHead: UInt64 = 0
    /// What peers did that they must not do, newest last, for the status.
    package internal(set) var complaints: [String] = []
    /// Hears each of them, and which record it is about.
    package var onComplaint: (String, UID?) -> Void = { _, _ in }
    var history: [HistoryRow] = []
    /// The device IDs of this machine and of its peers.
    package var knownDevices: () -> [String] = { [] }
    var composing = Composing()
    /// Where cards are composed that are many; nil: here.
    package var worker: (any Worker)?
    /// No more persons than these are not worth another thread.
    package var fewPersons = 4
    /// Called when a turn should be run for what was composed.
    package var wake: () -> Void = {}
    /// Records newer than the store's that hold what one card said, each thing once, and nothing else: alone they
    /// show that card, and it need not be composed to know it.
    private var asAdded: Set<UID> = []
    /// Records of peers that wait for a person's word, by device.
    package internal(set) var held: [String: Held] = [:]
    var peerBrakes: [String: Brake] = [:]
    /// What peers that may only read have sent, by device: the versions that each state had seen.
    var refused: [String: [UID: VersionVector]] = [:]
    /// By device: all counters in those.
    var refusedCounters: [String: Int] = [:]
    /// How often others were left out than before.
    package internal(set) var refusals = 0
    /// Records of peers that would make ours larger than any may be, by device.
    var outgrown: [String: Set<UID>] = [:]
    /// Records whose stored form is not what was written.
    package internal(set) var damaged: Set<UID> = []
    /// How many values of each person are kept and not shown, by the card's uid; persons with none are left out.
    var conflictCounts: [UID: Int] = [:]
    /// How many fields have values that are kept and not shown.
    package var conflictCount: Int { conflictCounts.values.reduce(0, +) }

    /// Loads a book.
    ///
    /// - Throws: `StoreFailure` if its state cannot be read.
    package init(
        _ settings: BookSettings,
        title: String,
        store: any Store,
        committer: Committer,
        replica: Replica,
        factory: AdditionFactory,
        hash: HashFunction
    ) throws(StoreFailure) {
        self.settings = settings
        self.title = title
        self.store = store
        self.committer = committer
        self.replica = replica
        self.factory = factory
        self.hash = hash
        index = PersonsIndex(catalog: Catalog(), policy: settings.policy)
        try load()
        committer.collectors.append { [weak self] batch in self?.collect(&batch) ?? nil }
    }

    /// Adds somebody who wants to know; held weakly.
    package func observe(_ observer: any ListObserver) {
        observers.removeAll { $0.observer == nil }
        observers.append(WeakObserver(observer: observer))
    }

    // MARK: Sessions

    /// Set by the login's segue. The same session twice is our own fault and traps.
    func arrive(_ session: SessionID, origin: Origin, title: String, isReadOnly: Bool) {
        precondition(sessions[session] == nil, "a session is prepared once for a list")
        sessions[session] = SessionEntry(origin: origin, title: title, isReadOnly: isReadOnly, add: nil)
    }

    /// Hands over to a new add controller for exactly this session.
    func performContacts2Add(for session: SessionID) {
        let segue = Segue(.contacts2add, to: AddController(factory: factory))
        prepare(for: segue, sender: session)
        sessions[session]?.add = segue.destination
    }

    /// Tells the add controller whose it is: title, session, delegate.
    package func prepare(for segue: Segue<AddController>, sender: Any?) {
        guard let session = sender as? SessionID, let entry = sessions[session] else {
            preconditionFailure("the list hands over a session that arrived by segue")
        }
        precondition(entry.add == nil, "a session is prepared once")
        segue.destination.arrive(session, title: entry.title, delegate: self)
    }

    /// The add controller of an open session.
    package func addController(for session: SessionID) -> AddController {
        guard let add = sessions[session]?.add else { preconditionFailure("a session adds after its segue") }
        return add
    }

    /// Ends a session; its add controller is gone with it.
    package func leave(_ session: SessionID) { sessions[session] = nil }

    // MARK: Turns

    /// Judges anew who is the same, for what changed.
    func judge() {
        while !unjudged.isEmpty || !unjudgedShared.isEmpty {
            let changes = unjudged.map { ($0.key, $0.value) }
            let shared = unjudgedShared.map { ($0.key, $0.value) }
            unjudged = [:]
            unjudgedShared = [:]
            let change = index.apply(changes, shared: shared)
            for person in change.removed {
                noteConflicts(person[0], 0)
                composing.forget(person[0])
            }
            for person in change.removed + change.added { dirty.formUnion(person) }
            tell(change)
            note(found: change.findings)
        }
    }

    /// Ends a turn: who is the same is judged anew for what changed, and observers hear whose card may differ.
    package func settle() {
        judge()
        guard !dirty.isEmpty else { return }
        var all = dirty
        for uid in dirty { all.formUnion(index.person(of: uid) ?? []) }
        dirty = []
        var cards: [UID] = []
        for uid in all {
            if index.cardUID(of: uid) == uid, !showsWhatWasAdded(uid) {
                cards.append(uid)
            } else {
                noteConflicts(uid, 0)
            }
        }
        // Of whom the card may be another than before is told when it is composed.
        tellSettled(all.subtracting(cards.flatMap { index.person(of: $0) ?? [] }))
        compose(cards) { [weak self] persons in
            self?.countConflicts(persons)
            self?.tellSettled(Set(persons.flatMap(\.card.uids)))
        }
    }

    private func tellSettled(_ uids: Set<UID>) {
        guard !uids.isEmpty else { return }
        for entry in observers { entry.observer?.list(self, didSettle: uids) }
    }

    /// Whether a record is a person of its own and shows just the card that was added as it.
    func showsWhatWasAdded(_ uid: UID) -> Bool {
        asAdded.contains(uid) && (index.person(of: uid).map { $0.count == 1 } ?? false)
    }

    /// Notes that a record holds one card, or that this is no longer known.
    func note(_ uid: UID, asAdded isKnown: Bool) {
        if isKnown { asAdded.insert(uid) } else { asAdded.remove(uid) }
    }

    /// Whether observers have heard of all that was added.
    var isSettled: Bool {
        unjudged.isEmpty && unjudgedShared.isEmpty && dirty.isEmpty && composing.jobs.isEmpty
    }

    /// Whether observers have yet to hear of a record.
    func isWaiting(toSettle uid: UID) -> Bool { dirty.contains(uid) || isComposing(uid) }

    /// Whether all that was added is judged and durable.
    package var isIdle: Bool {
        pending.isEmpty && inFlight.isEmpty && unjudged.isEmpty && unjudgedShared.isEmpty
    }

    func committed(_ head: UInt64) {
        for uid in inFlight where !pending.contains(uid) {
            overlay[uid] = nil
            asAdded.remove(uid)
        }
        inFlight = []
        committedHead = head
        for entry in observers { entry.observer?.list(self, didCommit: head) }
    }

    /// A switchboard that was found stays one when one of its three names is deleted (DESIGN.md 4).
    private func note(found keys: [String]) {
        guard !keys.isEmpty else { return }
        var editor = editor(session: "\(replica.id.hex)-found", time: replica.tick())
        for key in keys.sorted() { editor.share(key, .found) }
        take(&editor)
    }

    var allObservers: [any ListObserver] { observers.compactMap(\.observer) }

    private struct WeakObserver {
        weak var observer: (any ListObserver)?
    }
}

/// What is known of a deleted record, for the trash.
package struct DeadNote: Hashable, Sendable {
    package var name: String?
    package var time: HybridTime
    package var session: String
    /// Since when it is dead here, by our own clock, in milliseconds since 1970: who deleted it may have another one.
    /// Zero where its values were forgotten before it came.
    package var since: UInt64
}
