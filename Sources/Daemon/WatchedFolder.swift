import AddressBook
import BookDirectory
import Controllers
import EventLoop
import JSON

/// A book's directory as its controller sees it: reads on the loop, writes on the pool, and a watch that says where
/// to look.
final class WatchedFolder: Folder {
    /// How often an old file whose writer may still hold it is looked at, milliseconds.
    private static let settleInterval: UInt64 = 1000
    /// How often a directory that cannot be watched is looked for, milliseconds.
    private static let searchInterval: UInt64 = 2000

    let folder: BookFolder
    let trash: Trash
    let hash: HashFunction
    let loop: EventLoop
    private let log: Log
    var watch: FolderWatch?
    /// What a start has seen, or is about to.
    var ahead = Ahead.none
    private var handle: DescriptorWatch?
    private var searchTimer: LoopTimer?
    private var settleTimer: LoopTimer?
    var old: [OldFile] = []
    /// What is ready to be swapped in and not stored yet.
    private var ready: ReadyWrites?
    /// Those, by temporary name, whose bytes are an edit that is not stored yet.
    private var late: Set<String> = []
    /// Those, by temporary name, that the machine did not let us settle.
    private var refused: Set<String> = []
    /// Why nothing tells of changes, nil if something does.
    private(set) var watchFailure: String?
    /// Hears what the watch reports: names, attributes, whether to look at everything.
    var onReport: ([String], [String], Bool) -> Void = { _, _, _ in }
    /// Hears of bytes that somebody saved into a file after we had replaced it: its name, and the bytes. They are
    /// kept until the answer is called.
    var onLateSave: (String?, [UInt8], @escaping () -> Void) -> Void = { _, _, done in done() }

    init(path: String, trash: String, hash: HashFunction, loop: EventLoop, log: Log) {
        folder = BookFolder(path: path)
        self.trash = Trash(directory: trash)
        self.hash = hash
        self.loop = loop
        self.log = log
    }

    // MARK: The port

    func make() throws(FolderFailure) {
        do { try folder.make() } catch { throw FolderFailure(reason: error.description) }
        rearm()
    }

    func identity() throws(FolderFailure) -> FolderIdentity? {
        do { return try folder.identity() } catch { throw FolderFailure(reason: error.description) }
    }

    func writeMarker(_ text: String) throws(FolderFailure) {
        do { try folder.writeMarker(text) } catch { throw FolderFailure(reason: error.description) }
    }

    func list() throws(FolderFailure) -> FolderListing {
        // A mount over it is no event: from now on what lies there is watched.
        try? watch?.rearm()
        return try Self.listing(of: folder).get()
    }

    func list(done: @escaping (Result<FolderListing, FolderFailure>) -> Void) {
        switch ahead {
        case .none:
            try? watch?.rearm()
            let folder = folder
            loop.work({ Self.listing(of: folder) }, then: done)
        case .underWay: ahead = .awaited(done)
        case .awaited: preconditionFailure("the directory is listed once at a time")
        case .done(let look):
            ahead = .none
            take(look, done)
        }
    }

    static func listing(of folder: BookFolder) -> Result<FolderListing, FolderFailure> {
        do throws(DirectoryError) {
            let listing = try folder.list()
            return .success(
                FolderListing(entries: listing.entries, unreadableNames: listing.unreadableNames)
            )
        } catch { return .failure(FolderFailure(reason: error.description)) }
    }

    func stat(_ name: String) throws(FolderFailure) -> DirectoryEntry? {
        do { return try folder.stat(name) } catch { throw FolderFailure(reason: error.description) }
    }

    func read(_ name: String) throws(FileFailure) -> (bytes: [UInt8], stamp: FileStamp) {
        do { return try folder.read(name) } catch {
            let kind: FileFailure.Kind =
                switch error.reason {
                case .missing: .missing
                case .unsteady: .unsteady
                case .notAFile, .unreadable, .tooLarge: .unreadable
                }
            throw FileFailure(kind: kind, reason: error.description)
        }
    }

    func readAhead<Reading: Sendable>(
        _ files: [(name: String, known: FileStamp?)],
        _ reading: @escaping @Sendable ([UInt8]) -> Reading,
        done: @escaping ([(name: String, stamp: FileStamp, reading: Reading)]) -> Void
    ) {
        let folder = folder
        loop.work(
            {
                files.compactMap { name, known in
                    // What we have just written ourselves is as it was.
                    if let known, (try? folder.stat(name))??.stamp == known { return nil }
                    return (try? folder.read(name)).map { (name, $0.stamp, reading($0.bytes)) }
                }
            },
            then: done
        )
    }

    func flush() { Writer(folder: folder, identity: nil, trash: trash, hash: hash).flush() }

    func freeName(shown: String?, uid: String, isTaken: (String) -> Bool) -> String {
        FileName.make(shown: shown, uid: uid, hash: hash, isTaken: isTaken)
    }

    func carryOut(
        _ jobs: [FileJob],
        in identity: FolderIdentity,
        whenStored: (@escaping () -> Void) -> Void,
        done: @escaping ([FileOutcome]) -> Void
    ) {
        let writer = Writer(folder: folder, identity: identity, trash: trash, hash: hash)
        var isStored = false
        func swap() {
            guard isStored, let ready else { return }
            self.ready = nil
            loop.work({ Self.carryOut(jobs, ready, writer) }) { [weak self] results in
                guard let self else { return }
                for result in results { old += result.old }
                // What was being written may lie there yet.
                if results.contains(where: \.hasFailed) { findLeftovers() }
                if !old.isEmpty { settleLater() }
                done(results.map(\.outcome))
            }
        }
        // The files are flushed while the store is: where each flush takes 20 ms a lone change is seen after 28 ms instead
        // of 51, and on a quick disk a tenth to a quarter earlier.
        let writes = jobs.compactMap { if case .write(let write) = $0 { write } else { nil } }
        loop.work({ writer.prepare(writes) }) { [weak self] ready in
            self?.ready = ready
            swap()
        }
        whenStored {
            isStored = true
            swap()
        }
    }

    private struct JobResult: Sendable {
        var outcome: FileOutcome
        var old: [OldFile] = []

        var hasFailed: Bool { if case .failed = outcome { true } else { false } }
    }

    private static func carryOut(_ jobs: [FileJob], _ ready: ReadyWrites, _ writer: Writer) -> [JobResult] {
        var out = [JobResult?](repeating: nil, count: jobs.count)
        var writes: [(at: Int, name: String)] = []
        for (at, job) in jobs.enumerated() {
            switch job {
            case .write(let write): writes.append((at, write.name))
            case .remove(let name, let expected):
                out[at] =
                    switch writer.remove(name, expected: expected) {
                    case .done(_, let old): named(.removed, old, name)
                    case .overtaken(let aside): JobResult(outcome: .overtaken, old: aside)
                    case .missing: JobResult(outcome: .overtaken)
                    case .failed(let error, let aside):
                        JobResult(outcome: .failed(reason: error.description), old: aside)
                    }
            }
        }
        if !writes.isEmpty {
            for (place, result) in zip(writes, writer.swap(ready)) {
                out[place.at] =
                    switch result {
                    case .done(let stamp, _, let old): named(.written(stamp), old, place.name)
                    case .overtaken(let aside): JobResult(outcome: .overtaken, old: aside)
                    case .exists, .missing: JobResult(outcome: .overtaken)
                    case .failed(let error, let aside):
                        JobResult(outcome: .failed(reason: error.description), old: aside)
                    }
            }
        }
        return out.map { $0 ?? JobResult(outcome: .failed(reason: "the job was not carried out")) }
    }

    private static func named(_ outcome: FileOutcome, _ old: OldFile?, _ name: String) -> JobResult {
        guard var old else { return JobResult(outcome: outcome) }
        old.name = name
        return JobResult(outcome: outcome, old: [old])
    }

    // MARK: The watch

    /// Finds what a crashed run left, and begins to watch.
    func start() {
        guard case .none = ahead else { return listen() }
        rearm()
        guard (try? folder.identity()) != nil else { return }
        findLeftovers()
        if !old.isEmpty { settleLater() }
    }

    /// Finds what a crashed run or a refused write left under temporary names.
    private func findLeftovers() {
        take((try? Writer(folder: folder, identity: nil, trash: trash, hash: hash).recover()) ?? [])
    }

    func take(_ leftovers: [Leftover]) {
        let known = late.union(old.map(\.temporaryName))
        for leftover in leftovers where !known.contains(leftover.file.temporaryName) {
            var file = leftover.file
            let names = (try? folder.list().entries.map(\.name)) ?? []
            file.name = names.first { leftover.isOf($0, hash) }
            if case .edited = leftover.content {
                lateSave(file, leftover.bytes)
            } else {
                old.append(file)
            }
        }
    }

    private func listen() {
        handle = watch.map { loop.watch(descriptor: $0.descriptor) { [weak self] in self?.drain() } }
    }

    private func rearm() {
        handle?.close()
        watch?.close()
        handle = nil
        watch = nil
        do {
            watch = try FolderWatch(path: folder.path)
            watchFailure = nil
            listen()
        } catch {
            // It is tried again every 2 s, and said once.
            if watchFailure == error.description { return search() }
            watchFailure = error.description
            log.warning(
                "\(folder.path) cannot be watched (\(error.description)); it is looked at every 2 s; see `contactsync doctor`"
            )
        }
        if !(watch?.isWatching ?? false), !(watch?.isWatchingParent ?? false) { search() }
    }

    /// Looks for a directory that nothing can tell of.
    private func search() {
        searchTimer?.cancel()
        searchTimer = loop.after(Self.searchInterval) { [weak self] in
            guard let self else { return }
            searchTimer = nil
            rearm()
            onReport([], [], true)
        }
    }

    /// Takes all that the watch has to say, at once.
    func drain() {
        guard let watch else { return }
        let report = watch.drain()
        guard !report.isEmpty else { return }
        if report.folderLost || report.folderTouched {
            try? watch.rearm()
            if !watch.isWatching, !watch.isWatchingParent { search() }
        }
        if !report.temporaries.isEmpty { settle() }
        if !report.made.isEmpty { lookWhenComplete(report.made) }
        onReport(
            report.names + report.gone,
            report.attributes,
            report.overflow || report.folderLost || report.folderTouched
        )
    }

    /// A name that was just made may be complete (a link, a pipe, a second name of a file), or its save has yet to
    /// end, which is an event of its own.
    private func lookWhenComplete(_ names: [String]) {
        let folder = folder
        loop.work({ names.filter { (try? folder.isComplete($0)) ?? true } }) { [weak self] complete in
            if !complete.isEmpty { self?.onReport(complete, [], false) }
        }
    }

    // MARK: Old files

    func settleLater() {
        guard settleTimer == nil else { return }
        settleTimer = loop.after(Self.settleInterval) { [weak self] in
            self?.settleTimer = nil
            self?.settle()
        }
    }

    private func settle() {
        let writer = Writer(folder: folder, identity: nil, trash: trash, hash: hash)
        var waiting: [OldFile] = []
        let files = old
        old = []
        for var file in files {
            switch writer.settle(&file, now: Int64(loop.now)) {
            case .gone: refused.remove(file.temporaryName)
            case .stillOpen: waiting.append(file)
            case .changed(let bytes): lateSave(file, bytes)
            case .failed(let error):
                // It is tried again every second, and said once.
                if refused.insert(file.temporaryName).inserted {
                    log.warning(
                        "\(file.name ?? file.temporaryName) stays under a temporary name and is tried again every second: \(error.description)"
                    )
                }
                waiting.append(file)
            }
        }
        old += waiting
        if !old.isEmpty { settleLater() }
    }

    private func lateSave(_ file: OldFile, _ bytes: [UInt8]) {
        late.insert(file.temporaryName)
        onLateSave(file.name, bytes) { [weak self] in
            guard let self else { return }
            late.remove(file.temporaryName)
            var file = file
            file.accept(hash.hash(bytes))
            old.append(file)
            settleLater()
        }
    }

    /// Forgets what is older than the trash keeps, or beyond its limit.
    func pruneTrash(before time: Int64, limit: Int64) { _ = try? trash.prune(olderThan: time, limit: limit) }

    /// At the end of the process: what is ready and was not given its name goes.
    func discardReady() {
        if let ready { Writer(folder: folder, identity: nil, trash: trash, hash: hash).discard(ready) }
        ready = nil
    }

    /// Looks at nothing any more; what is being written goes on to its end.
    func close() {
        handle?.close()
        watch?.close()
        (handle, watch) = (nil, nil)
        searchTimer?.cancel()
        settleTimer?.cancel()
    }
}
