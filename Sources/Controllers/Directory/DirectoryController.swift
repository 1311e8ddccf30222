package import AddressBook
import Contacts
package import JSON
package import Replication

/// Keeps a book and its directory the same: reads what people save, writes what has changed elsewhere.
///
/// The directory is a session like any other: all it finds goes through its add controller. It decides and the
/// folder does; events only say where to look (DESIGN.md 5).
package final class DirectoryController {
    /// Whether the directory's word on what is missing counts.
    package enum Standing: Hashable, Sendable {
        /// It is the directory we know.
        case ours
        /// It is missing, or another lies in its place: nothing is deleted, nothing is written into it.
        case notOurs(reason: String)
    }

    /// Something that a file held and holds no longer, until that has been seen twice.
    struct Gone {
        var name: ExactString
        var item: HeldItem
        var isWholeFile: Bool
        var due: UInt64
    }

    /// What a person decides on a held book.
    enum Decision {
        case delete, restore
    }

    /// Absence is seen twice, so many milliseconds apart.
    package static let absenceDelay: UInt64 = 2000
    /// Files read in one turn of the loop, so that nothing else waits long.
    static let perTurn = 40
    /// Persons decided on, files prepared, or outcomes taken in, in one turn.
    package var roundShare = 32
    /// Files read by one call on another thread.
    static let perFetch = 128
    /// No more files than these are not worth it.
    static let fewFiles = 4
    /// Files written with one flush.
    static let perRound = 1000
    /// The largest file that is read, in bytes; a larger one is not written.
    static let fileLimit = 8 << 20
    /// After the machine refused a write it is tried again, milliseconds.
    static let retryDelay: UInt64 = 5000
    /// Changes after which it is noted that files show them.
    static let shownLag: UInt64 = 500
    /// A clash is listed for a day, in milliseconds.
    static let clashLifetime: UInt64 = 86_400_000

    let list: ListController
    let folder: any Folder
    let scheduler: any Scheduler
    let committer: Committer
    let hash: HashFunction
    let session: SessionID
    var add: AddController { list.addController(for: session) }

    /// What each file holds.
    package internal(set) var files = FileTable()
    /// Files to look at.
    var unread: Set<ExactString> = []
    /// Those in the order in which they are read, the next one last.
    var queue: [ExactString] = []
    /// What was read ahead of its turn, and under which stamp.
    var ahead: [ExactString: (stamp: FileStamp, reading: FileReading)] = [:]
    /// Files that are being read on other threads.
    var fetching: Set<ExactString> = []
    /// Where in the queue reading ahead has come to.
    var aheadFrom = 0
    var gone: [Gone] = []
    /// Files on their way to the disk, with what they will hold.
    var inFlight: [ExactString: FileRecord.Intention] = [:]
    /// Persons whose files wait to be compared with them.
    var unplanned: Set<UID> = []
    /// Those in the order in which they are composed, the next one last.
    var planQueue: [UID] = []
    /// Files that the store has without their stamp, as somebody in them waits to be compared.
    var uncompared: Set<ExactString> = []
    /// Files that are decided on and prepared, some in a turn, until they are written with one flush.
    var round: Round?
    /// The round that is being written, until all that became of it is taken in. The next one is decided on meanwhile.
    var flying: Flight?
    /// How many waited when the last try to decide on somebody found all of them in the round that is being written.
    var stalledAt: Int?
    /// What became of files that were written, until it is taken in, some in a turn, the next one last.
    var landed: [(job: Prepared, outcome: FileOutcome)] = []
    /// Versions that the store may not have yet.
    var recentBases: [UID: [(number: Int64, base: Base)]] = [:]
    /// Versions that were noted and never shown, until the store knows.
    var withdrawnBases: Set<Int64> = []
    /// Versions, by number, that the last run noted and perhaps did not come to show.
    var doubtfulBases: Set<Int64> = []
    /// Files that a crash left without what we had written, and the records that they were to show.
    var leftovers: [ExactString: Set<UID>] = [:]
    var clashes: [UID: Clash] = [:]
    /// What is wrong with files, as far as it was told.
    var toldFlaws: [ExactString: [Flaw]] = [:]
    /// Uids that a file writes whose contact was told apart from the one they belong to.
    var claims: [UID: ExactString] = [:]
    /// What was about to be written and may have been: by the last run, or when the machine refused.
    var lastIntentions: [ExactString: FileRecord.Intention] = [:]
    var wasScanned = false
    var unreadableNames: [String] = []
    var isScanning = false
    /// Whether a look at the whole directory is under way on another thread, and whether another one is to follow. No file
    /// is read before its end: who is gone is to be known before somebody is taken for new.
    var (isListing, isListingDue) = (false, false)
    private var scanStarted: UInt64 = 0
    /// Called when all of the directory was looked at, with the milliseconds that it took.
    package var onScanned: (UInt64) -> Void = { _ in }
    var isFirstScan = false
    package internal(set) var standing = Standing.ours
    /// Why deletions wait for a person's word, nil if none do.
    package internal(set) var hold: String?
    /// Since when the book has been held, for either reason, milliseconds since 1970; it outlives a restart.
    package internal(set) var heldSince: UInt64?
    /// What a person said about the absences, until all of them are known.
    var decision: Decision?
    var brake: Brake
    /// The directory as we know it, nil before the first start.
    var identity: FolderIdentity?
    /// Why files could not be written, nil if they could.
    package internal(set) var writeFailure: String?
    /// Files show all changes up to here in the feed, or are about to be compared.
    var shownHead: UInt64 = 0
    var cancelTimer: (() -> Void)?
    var lastBaseNumber: Int64 = 0
    /// When this run began: by the wall clock, and by the one that is never set.
    let started: (clock: UInt64, uptime: UInt64)

    /// One uid in several files.
    struct Clash: Hashable {
        var files: Set<ExactString>
        var since: UInt64
    }

    /// Loads what is known of the directory.
    ///
    /// - Parameters:
    ///   - session: the directory's, logged in to the list before.
    ///   - known: what the store has of its files; nil: it is read here.
    package init(
        list: ListController,
        session: SessionID,
        folder: any Folder,
        scheduler: any Scheduler,
        committer: Committer,
        hash: HashFunction,
        known: KnownFiles? = nil
    ) throws(StoreFailure) {
        self.list = list
        self.session = session
        self.folder = folder
        self.scheduler = scheduler
        self.committer = committer
        self.hash = hash
        brake = Brake(deletionLimit: list.settings.deletionLimit)
        started = (list.replica.now, scheduler.uptime)
        try load(known)
        list.observe(self)
    }

    /// Recognises the directory, or makes it at the first start, and looks at all of it.
    package func start() {
        recognise(atStart: true)
        // What lies there as it was meant to counts as settled now: a power cut must not undo it afterwards.
        if !lastIntentions.isEmpty { folder.flush() }
        rescan()
    }

    /// What the watch reported.
    ///
    /// - Parameters:
    ///   - names: files that were saved, moved in, removed or moved away.
    ///   - attributes: files whose attributes changed.
    ///   - everything: events were lost, or the directory itself was touched.
    package func look(at names: some Sequence<String>, attributes: some Sequence<String>, everything: Bool) {
        unread.formUnion(names.map { ExactString($0) })
        // A changed mode matters only to a file that could not be read.
        for name in attributes.map({ ExactString($0) }) where files[name]?.aside != nil {
            unread.insert(name)
        }
        // Whatever happens in a directory that is not ours may make it ours again.
        if everything || standing != .ours { lookAtEverything() }
    }

    /// Looks whether the directory is ours, and at all of it.
    package func lookAtEverything() {
        recognise(atStart: false)
        rescan()
    }

    /// Looks at the whole directory: stats all, reads what changed.
    package func rescan() {
        guard case .ours = standing else { return }
        if !isScanning { scanStarted = scheduler.uptime }
        isScanning = true
        // One at a time; what happens meanwhile the next one sees.
        guard !isListing else {
            isListingDue = true
            return
        }
        isListing = true
        // Away from the loop: peers are dialled and heard meanwhile.
        folder.list { [weak self] in self?.listed($0) }
    }

    private func listed(_ result: Result<FolderListing, FolderFailure>) {
        isListing = false
        defer { isListingDue = false }
        guard case .ours = standing else { return decision = nil }
        do throws(FolderFailure) {
            let listing = try result.get()
            unreadableNames = listing.unreadableNames
            unread.formUnion(files.differences(from: listing.entries))
        } catch {
            standing = .notOurs(reason: error.reason)
            // Nothing was decided about a directory that cannot be had; what comes later is another question.
            decision = nil
        }
        if isListingDue { rescan() }
        wake()
    }

    /// Ends a turn: reads what is to be read, then compares persons with files, then writes.
    package func endTurn() {
        takeLanded()
        if readSome(), unread.isEmpty {
            // What was saved goes on its way, and its person is composed and compared meanwhile: that is a quarter of the
            // instructions that a lone save would otherwise wait for.
            list.judge()
            committer.flush()
        }
        list.settle()
        if unread.isEmpty, isScanning, !isListing { endScan() }
        confirmAbsences()
        noteHeld()
        list.settle()
        plan()
        noteShown(Self.shownLag)
        arm()
    }

    /// Whether the next turn should come at once. Nothing is begun where another directory lies.
    package var hasWork: Bool {
        if !landed.isEmpty { return true }
        if let round { return !round.isComplete || flying == nil }
        guard case .ours = standing else { return false }
        // Files that are being read or written wake us when they are.
        if isListing { return false }
        if !unread.isEmpty { return !isReadingAhead && unread.contains { inFlight[$0] == nil } }
        return hasPlans && mayDecide && writeFailure == nil && !list.isComposing
    }

    /// Whether persons have to be compared with their files, or files are to be cleared away.
    var hasPlans: Bool { !unplanned.isEmpty || !leftovers.isEmpty }

    /// Whether files and persons agree and nothing is under way.
    package var isIdle: Bool {
        unread.isEmpty && !isScanning && gone.isEmpty && isUnoccupied && list.isSettled
            && (!hasPlans || isWaiting)
    }

    /// Whether no file is being written.
    var isUnoccupied: Bool { inFlight.isEmpty && round == nil }

    /// Whether no other thread reads or writes its files.
    package var isAtRest: Bool { flying == nil && fetching.isEmpty }

    /// Whether what is to be written cannot be.
    private var isWaiting: Bool { writeFailure != nil || standing != .ours }

    /// `scanning`, `idle` or `held`.
    package var state: String {
        if standing != .ours || hold != nil { return "held" }
        return isIdle ? "idle" : "scanning"
    }

    private func endScan() {
        isScanning = false
        isFirstScan = false
        noteScanned()
        onScanned(scheduler.uptime - scanStarted)
        // What came while we were away, or could not be written.
        unplanned.formUnion(unshown)
    }

    /// Wakes the daemon for the next absence to be seen a second time.
    private func arm() {
        cancelTimer?()
        cancelTimer = nil
        guard hold == nil, case .ours = standing, let next = gone.map(\.due).max() else { return }
        let wait = next > scheduler.uptime ? next - scheduler.uptime : 0
        cancelTimer = scheduler.after(wait) { [weak self] in self?.wake() }
    }

    /// Called when the daemon should run a turn for this directory.
    package var wake: () -> Void = {}
}

extension DirectoryController: ListObserver {
    package func list(_ list: ListController, didSettle dirty: Set<UID>) {
        unplanned.formUnion(dirty.lazy.filter { !self.isShown($0) })
    }

    package func list(_ list: ListController, didCommit head: UInt64) {}

    /// Whether a person's only file says just what was added of it, so that there is nothing to compare.
    private func isShown(_ uid: UID) -> Bool {
        guard list.showsWhatWasAdded(uid) else { return false }
        let names = files.names(showing: uid)
        guard names.count == 1, let name = names.first, inFlight[name] == nil, let state = files[name],
            state.aside == nil
        else { return false }
        let showing = state.items.filter { $0.uids.contains(uid) }
        return showing.count == 1 && showing[0].uid == uid && showing[0].uids == [uid]
            && showing[0].role == .own
    }
}
