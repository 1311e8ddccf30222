import AddressBook
import BookDirectory
package import Config
import Controllers
import EventLoop
import Glibc
import JSON
import PhoneNumbers
import Replication
import Storage
import Supervision
import TLS
import Wire

/// Why the daemon does not start: a sentence that ends with what to do.
package struct StartError: Error, Sendable {
    package let message: String
    /// Whether a new start may do better: the malformed state was set aside.
    let mayTryAgain: Bool

    init(message: String, mayTryAgain: Bool = false) {
        self.message = message
        self.mayTryAgain = mayTryAgain
    }
}

/// The whole house: makes everything below, owns it, runs it on one loop, and stops it.
package final class Daemon {
    var configuration: Configuration
    let environment: ConfigEnvironment
    let identity: Identity
    let loop: EventLoop
    let scheduler: LoopScheduler
    let log: Log
    let committer: Committer
    let replica: Replica
    let storage: Storage.Store
    let store: DurableStore
    let login: LoginController
    let phones = PhoneNumbers()
    let supervisor: Supervisor
    /// Sorted by name.
    var books: [Book] = []
    private(set) var hub: PeerHub
    private var server: SocketServer?
    private(set) lazy var syncs = Syncs(self)
    private(set) lazy var journal = Journal(self)
    private(set) lazy var hooks = Hooks(self)
    private(set) lazy var metrics = Metrics(self)
    private var metricsDoor: HTTPDoor?
    private(set) lazy var web = WebServer(self)
    private(set) lazy var pairing = PairingController(
        loop: loop,
        identity: identity,
        log: log,
        name: configuration.name,
        store: { [unowned self] peer throws(StorageError) in try store(peer) }
    )
    /// Who was paired and unpaired.
    var paired: PairedPeers
    var works = Works()
    private lazy var methods = Methods(self)
    private var signals: [SignalWatch] = []
    var timers: [LoopTimer] = []
    var searchTimer: LoopTimer?
    let reserve: DiskReserve
    var reserveTimer: LoopTimer?
    /// Whether peers wait for room.
    var isShort = false
    var isAwake = false
    /// The configuration that is about to come into force.
    var change: ConfigurationChange?
    /// Whether somebody asked for another reading meanwhile.
    var isReloadDue = false
    private(set) var isStopping = false
    /// What the service manager heard last of how things are, and when it is told more.
    var reported: String?
    var reportTimer: LoopTimer?
    private let started: UInt64

    /// How often a directory that is not ours is looked for, milliseconds.
    static let searchInterval: UInt64 = 2000
    /// When all is stored, what files are being written is waited for so long, milliseconds.
    private static let patience = 300
    static let hash = HashFunction { sha256($0) }

    /// Runs a daemon until a signal ends it, and another one where the database turned out to be malformed.
    ///
    /// - Throws: `StartError`, with what to do.
    package static func run(
        _ configuration: Configuration,
        environment: ConfigEnvironment
    ) throws(StartError) {
        // Until there is somebody to hear it, a request to read the configuration again means what is read anyway.
        _ = signal(SIGHUP, SIG_IGN)
        let supervisor = Surroundings.supervisor()
        while try !isDone(configuration, environment, supervisor) {}
    }

    private static func isDone(
        _ configuration: Configuration,
        _ environment: ConfigEnvironment,
        _ supervisor: Supervisor
    ) throws(StartError) -> Bool {
        do throws(StartError) {
            try Daemon(configuration, environment: environment, supervisor: supervisor).run()
            return true
        } catch {
            // It has said what happened, and the next one begins with a new database.
            guard error.mayTryAgain else { throw error }
            return false
        }
    }

    /// Opens the state, loads the books, and prepares everything but the sockets.
    ///
    /// - Throws: `StartError`, with what to do.
    private init(
        _ configuration: Configuration,
        environment: ConfigEnvironment,
        supervisor: Supervisor
    ) throws(StartError) {
        self.configuration = configuration
        self.environment = environment
        self.supervisor = supervisor
        log = Log(journal: Surroundings.journal(), now: Surroundings.wallClock)
        do {
            loop = try EventLoop()
            identity = try Identity.load(directory: configuration.state)
        } catch { throw StartError(message: "\(error); see `contactsync doctor`") }
        scheduler = LoopScheduler(loop)
        paired = try Self.paired(in: configuration.state)
        storage = try Self.open(configuration.state, log)
        store = DurableStore(storage, loop: loop)
        let clock =
            (try? storage.meta("clock")).flatMap { $0 }.flatMap {
                UInt64(String(decoding: $0, as: UTF8.self))
            } ?? 0
        replica = Replica(
            latest: HybridTime(bits: clock),
            wallClock: Surroundings.wallClock,
            random: Random.bits64
        )
        storage.recordStart(replica: replica.id.bits)
        let storage = storage
        replica.onRenew = { storage.recordStart(replica: $0.bits) }
        let loop = loop
        let log = log
        committer = Committer(store: store) { again in
            log.error("the state cannot be stored; it is tried again in 5 s; see `contactsync status`")
            _ = loop.after(5000, again)
        }
        committer.worker = loop
        login = LoginController(
            ownDevice: identity.deviceID,
            ownName: configuration.name,
            random: Random.bits64
        )
        started = loop.now
        reserve = DiskReserve(
            paths: [configuration.state] + configuration.books.map(\.directory),
            bytes: UInt64(configuration.diskReserve),
            uptime: { loop.now }
        )
        BookFolder.prepareProcess()
        var booksNow: () -> [Book] = { [] }
        hub = PeerHub(
            loop: loop,
            identity: identity,
            login: login,
            replica: replica,
            committer: committer,
            scheduler: scheduler,
            log: log,
            name: configuration.name,
            books: { booksNow() }
        )
        booksNow = { [unowned self] in books }
        var loadings: [BookLoading] = []
        do throws(StartError) {
            for book in configuration.books { loadings.append(try beginLoading(book)) }
            for loading in loadings { books.append(try makeBook(loading)) }
            if store.isMalformed {
                throw StartError(
                    message: "the state is damaged; start contactsyncd again, which begins a new one"
                )
            }
        } catch {
            for loading in loadings { loading.folder.close() }
            storage.close()
            throw store.isMalformed ? setAside() : error
        }
        store.onMalformed = { [weak self] in self?.loop.stop() }
    }

    /// Keeps the malformed database aside, after it was closed.
    ///
    /// - Returns: why this start ends.
    private func setAside() -> StartError {
        do {
            let now = Surroundings.wallClock()
            let aside = try Storage.Store.setAside(directory: configuration.state, now: now)
            let message =
                "the database is damaged; it is kept as \(aside) and a new one begun; files and peers fill it again"
            log.error(message)
            return StartError(message: message, mayTryAgain: true)
        } catch { return StartError(message: error.description) }
    }

    private static func open(_ directory: String, _ log: Log) throws(StartError) -> Storage.Store {
        do { return try Storage.Store.open(directory: directory, hash: hash) } catch {
            guard case .malformed = error else { throw StartError(message: error.description) }
            do {
                let aside = try Storage.Store.setAside(directory: directory, now: Surroundings.wallClock())
                log.error("\(error.description) It is kept as \(aside) and a new one begun.")
                return try Storage.Store.open(directory: directory, hash: hash)
            } catch { throw StartError(message: error.description) }
        }
    }

    /// Runs until a signal or an error of the loop ends it.
    ///
    /// - Throws: `StartError` if the sockets cannot be opened, or if the database turned out to be malformed and was
    ///   set aside.
    private func run() throws(StartError) {
        try serve()
        if store.isMalformed { throw setAside() }
    }

    private func serve() throws(StartError) {
        let server = SocketServer(loop: loop, userID: environment.userID) {
            [weak self] request, connection, answer in
            self?.methods.call(request, connection, answer)
        }
        self.server = server
        defer { close() }
        do {
            if let passed = try passedSocket() {
                try server.start(descriptor: passed.descriptor)
            } else {
                try server.start(path: configuration.socket)
            }
        } catch let error as StartError {
            throw error
        } catch {
            throw StartError(
                message:
                    "the socket \(configuration.socket) cannot be opened: \(error); stop the daemon that uses it, or set another `socket`"
            )
        }
        hub.changed = { [weak self] in self?.wake() }
        hub.told = { [weak self] event, device, session, reason in
            self?.journal.tell(event, device: device, session: session, reason: reason)
        }
        keepReserve()
        do { try hub.start(configuration.listen) } catch {
            throw StartError(message: "\(error); choose another `listen` address in \(configuration.file)")
        }
        for number in [SIGTERM, SIGINT] {
            signals.append(loop.signal(number) { [weak self] in self?.stop() })
        }
        committer.onCommit = { [weak self] in
            self?.wake()
            self?.journal.pump()
        }
        signals.append(loop.signal(SIGHUP) { [weak self] in self?.reload() })
        for book in books { start(book) }
        try startMetrics()
        hooks.configure(configuration.hooks)
        hub.pairs = { [weak self] in self?.pairing.isOpen ?? false }
        hub.pairing = { [weak self] in self?.pairing.accept($0) }
        configurePeers()
        timers.append(loop.every(86_400_000) { [weak self] in self?.daily() })
        beginReporting()
        log.info("\(configuration.name) runs, device \(identity.deviceID), start \(replica.id.hex)")
        // Not while files and peers wait for their first look.
        timers.append(loop.after(3000) { [weak self] in self?.daily() })
        wake()
        loop.run()
    }

    private func startMetrics() throws(StartError) {
        metrics.start()
        guard let place = configuration.metricsListen else { return }
        do { metricsDoor = try MetricsServer.open(self, place) } catch {
            throw StartError(message: "\(error); choose another `metrics-listen` in \(configuration.file)")
        }
    }

    /// Begins to look at a book's directory.
    func start(_ book: Book) {
        book.folder.start()
        book.directory.start()
        book.folder.endLookAhead()
        let interval = UInt64(max(10, book.configuration.rescanInterval)) * 1000
        book.rescan = loop.every(interval) { [weak self, weak book] in
            book?.directory.lookAtEverything()
            self?.wake()
        }
    }

    private func stop() {
        isStopping = true
        supervisor.say(.stopping)
        log.info("stopping")
        hooks.close()
        // What has been read is stored before the end.
        for book in books {
            book.list.settle()
            book.directory.noteShown(1)
        }
        whenCommitted { [weak self] in
            // The pool may be in the middle of many files, or hang on a disk: that is as after a power cut.
            Surroundings.end(within: Self.patience)
            self?.loop.stop()
        }
        _ = loop.after(3000) { [weak self] in self?.loop.stop() }
    }

    private func close() {
        // The loop has ended: there is no further turn, whatever the closing changes.
        isAwake = true
        pairing.close()
        hub.close()
        server?.close()
        metricsDoor?.close()
        web.close()
        metrics.close()
        for book in books {
            book.close()
            book.folder.discardReady()
        }
        reportTimer?.cancel()
        for timer in timers { timer.cancel() }
        searchTimer?.cancel()
        for signal in signals { signal.close() }
        storage.close()
    }

    /// What a person says comes through the same door as everything else, in a session of its own.
    func command(_ book: Book, _ body: (AddController) -> Receipt) -> Receipt {
        do {
            let session = try login.login(.command, to: [book.list])
            defer { book.list.leave(session) }
            return body(book.list.addController(for: session))
        } catch { preconditionFailure("our own user may always log in") }
    }

    /// A person decides on what is held, of the directory and of peers.
    func resume(_ book: Book, deleting: Bool) {
        book.directory.resume(deleting: deleting)
        guard !book.list.held.isEmpty else { return }
        do {
            let session = try login.login(.command, to: [book.list])
            book.list.resume(deleting: deleting, session: session)
            book.list.leave(session)
        } catch { preconditionFailure("our own user may always log in") }
        for peer in hub.peers.values { peer.link?.feeds[book.name]?.nameRefused() }
    }

    /// A random UUID (RFC 9562, version 4).
    func randomUUID() -> String {
        var bytes = Random.bytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let hex = bytes.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { hex[$0].joined() }.joined(separator: "-")
    }

    var uptime: UInt64 { (loop.now - started) / 1000 }
}
