import AddressBook
import Controllers
import JSON
import TestSupport

/// A directory in memory that people and the daemon change; what the daemon writes is on the disk once it is flushed.
final class MemoryFolder: Folder {
    struct File: Equatable {
        var bytes: [UInt8]
        var stamp: FileStamp
    }

    /// What programs see.
    private(set) var files: [String: File] = [:]
    /// What a power cut would leave of names that the daemon wrote and has not flushed; nil: no such name.
    private var unflushed: [String: File?] = [:]
    private let timeline: Timeline
    private let fault: Fault?
    private var random: SeededGenerator
    private var lastInode: Int64 = 100
    /// The directory's own number; another one lies there while it is away.
    private var inode: UInt64?
    private var marker: (text: String, inode: UInt64)?
    private var away: (files: [String: File], inode: UInt64?, marker: (text: String, inode: UInt64)?)?
    /// Hears what the watch reports.
    var onReport: ([String], Bool) -> Void = { _, _ in }
    /// Hears what daemons do here.
    var trace: (String) -> Void = { _ in }
    /// The scheduler of the daemon that writes here now.
    var scheduler: LifeScheduler?
    /// Files that daemons have written or removed.
    private(set) var daemonWrites = 0
    /// Versions that files had, for backups.
    private(set) var backups: [(name: String, bytes: [UInt8])] = []
    /// What daemons read last under each name.
    private var lastRead: [String: [UInt8]] = [:]
    /// How often each name got other bytes.
    private(set) var versions: [String: Int] = [:]
    private let hash: HashFunction

    init(_ timeline: Timeline, hash: HashFunction, fault: Fault?, seed: UInt64) {
        self.timeline = timeline
        self.hash = hash
        self.fault = fault
        random = SeededGenerator(seed: seed)
    }

    var isAway: Bool { away != nil }
    /// Whether a power cut would undo something.
    var isUnflushed: Bool { !unflushed.isEmpty }
    var names: [String] { files.keys.sorted() }

    /// Whether no daemon has read what lies there: it is known to nobody but who saved it.
    func isUnread(_ name: String) -> Bool { files[name].map { lastRead[name] != $0.bytes } ?? false }

    // MARK: What people do

    /// Saves a file; in place it keeps its inode.
    func save(_ name: String, _ bytes: [UInt8], inPlace: Bool = false, isSeen: Bool = true) {
        put(name, bytes, keepsInode: inPlace)
        if isSeen { report([name]) }
    }

    func remove(_ name: String, isSeen: Bool = true) {
        keepBackup(name)
        files[name] = nil
        unflushed[name] = nil
        if isSeen { report([name]) }
    }

    func rename(_ name: String, to other: String) {
        guard let file = files[name], files[other] == nil else { return }
        files[name] = nil
        files[other] = file
        unflushed[name] = nil
        report([name, other])
    }

    /// The directory is moved away, and an empty one made in its place, or not.
    func moveAway(leavingEmpty: Bool) {
        guard away == nil else { return }
        away = (files, inode, marker)
        files = [:]
        unflushed = [:]
        marker = nil
        lastInode += 1
        inode = leavingEmpty ? UInt64(lastInode) : nil
        report([], true)
    }

    func moveBack() {
        guard let away else { return }
        (files, inode, marker) = (away.files, away.inode, away.marker)
        self.away = nil
        report([], true)
    }

    /// The power is cut: of what was not flushed the old, nothing, or the new is there.
    func powerCut() {
        for (name, old) in unflushed.sorted(by: { $0.key < $1.key }) {
            switch random.below(3) {
            case 0: files[name] = old
            case 1 where old == nil:
                if files[name] != nil { put(name, [], keepsInode: true) }
            default: break
            }
        }
        unflushed = [:]
    }

    private func put(_ name: String, _ bytes: [UInt8], keepsInode: Bool) {
        keepBackup(name)
        versions[name, default: 0] += 1
        unflushed[name] = nil
        files[name] = File(bytes: bytes, stamp: stamp(bytes, keepsInode ? files[name]?.stamp.inode : nil))
    }

    private func keepBackup(_ name: String) {
        // Nobody backs up half a save.
        guard let old = files[name], (try? JSONReader.value(old.bytes)) != nil else { return }
        backups.append((name, old.bytes))
        if backups.count > 60 { backups.removeFirst() }
    }

    private func stamp(_ bytes: [UInt8], _ old: UInt64? = nil) -> FileStamp {
        lastInode += 1
        let time = Int64(timeline.now) * 1_000_000 + lastInode
        return FileStamp(
            device: 1,
            inode: old ?? UInt64(lastInode),
            size: Int64(bytes.count),
            modified: time,
            changed: time,
            mode: 0o100600
        )
    }

    private func report(_ names: [String], _ everything: Bool = false) {
        timeline.after(UInt64(random.below(3))) { [weak self] in self?.onReport(names, everything) }
    }

    // MARK: The port

    func make() throws(FolderFailure) {
        lastInode += 1
        if inode == nil { inode = UInt64(lastInode) }
    }

    func identity() throws(FolderFailure) -> FolderIdentity? {
        guard let inode else { return nil }
        return FolderIdentity(device: 1, inode: inode, marker: marker?.text, markerInode: marker?.inode)
    }

    func writeMarker(_ text: String) throws(FolderFailure) {
        lastInode += 1
        marker = (text, UInt64(lastInode))
    }

    func list() throws(FolderFailure) -> FolderListing {
        guard inode != nil else { throw FolderFailure(reason: "there is no such directory") }
        return FolderListing(
            entries: files.sorted { $0.key < $1.key }.map {
                DirectoryEntry(name: $0.key, kind: .file, stamp: seen($0.value.stamp))
            },
            unreadableNames: []
        )
    }

    func list(done: @escaping (Result<FolderListing, FolderFailure>) -> Void) {
        let result = Result { () throws(FolderFailure) in try list() }
        // Files may come and go before it is heard.
        _ = scheduler?.after(UInt64(random.below(4))) { done(result) }
    }

    func stat(_ name: String) throws(FolderFailure) -> DirectoryEntry? {
        guard inode != nil else { throw FolderFailure(reason: "there is no such directory") }
        return files[name].map { DirectoryEntry(name: name, kind: .file, stamp: seen($0.stamp)) }
    }

    private func seen(_ stamp: FileStamp) -> FileStamp { fault?.stamp(stamp) ?? stamp }

    func read(_ name: String) throws(FileFailure) -> (bytes: [UInt8], stamp: FileStamp) {
        guard let file = files[name] else {
            throw FileFailure(kind: .missing, reason: "\(name) is not there")
        }
        lastRead[name] = file.bytes
        return (file.bytes, seen(file.stamp))
    }

    func readAhead<Reading: Sendable>(
        _ asked: [(name: String, known: FileStamp?)],
        _ reading: @escaping @Sendable ([UInt8]) -> Reading,
        done: @escaping ([(name: String, stamp: FileStamp, reading: Reading)]) -> Void
    ) {
        var found: [(name: String, stamp: FileStamp, reading: Reading)] = []
        for (name, known) in asked {
            guard let file = files[name], seen(file.stamp) != known else { continue }
            found.append((name, seen(file.stamp), reading(file.bytes)))
        }
        guard let scheduler else { return }
        // Others may save between the reading and its use.
        let files = files
        _ = scheduler.after(UInt64(random.below(4))) { [weak self] in
            guard let self else { return }
            for (name, _, _) in found where self.files[name] == files[name] {
                lastRead[name] = files[name]?.bytes
            }
            done(found)
        }
    }

    func flush() { unflushed = [:] }

    func freeName(shown: String?, uid: String, isTaken: (String) -> Bool) -> String {
        let title = shown ?? "contact"
        var name = title + ".json"
        var number = 0
        while isTaken(name.lowercased()) {
            number += 1
            name = "\(title) \(hash.hash(Array(uid.utf8)).hex.prefix(6))-\(number).json"
        }
        return name
    }

    func carryOut(
        _ jobs: [FileJob],
        in identity: FolderIdentity,
        whenStored: (@escaping () -> Void) -> Void,
        done: @escaping ([FileOutcome]) -> Void
    ) {
        whenStored { [weak self] in self?.carryOut(jobs, identity, 0, [], done) }
    }

    /// One job after another, with time between them for others to save, then the flush.
    private func carryOut(
        _ jobs: [FileJob],
        _ identity: FolderIdentity,
        _ at: Int,
        _ outcomes: [FileOutcome],
        _ done: @escaping ([FileOutcome]) -> Void
    ) {
        guard let scheduler else { return }
        let isEarly = at == jobs.count && fault?.settlesEarly ?? false
        if isEarly { done(outcomes) }
        // Without a flush the system takes its time.
        _ = scheduler.after(UInt64(random.below(isEarly ? 5000 : 4))) { [weak self] in
            guard let self else { return }
            guard at < jobs.count else {
                for job in jobs { unflushed[job.name] = nil }
                if !isEarly { done(outcomes) }
                return
            }
            let outcome = carryOut(jobs[at], identity)
            trace("  daemon: \(jobs[at].text) is \(outcome)")
            carryOut(jobs, identity, at + 1, outcomes + [outcome], done)
        }
    }

    private func carryOut(_ job: FileJob, _ identity: FolderIdentity) -> FileOutcome {
        guard inode == identity.inode else { return .failed(reason: "another directory lies there") }
        if random.chance(0.01) { return .failed(reason: "no space left on device") }
        let checks = !(fault?.overwrites ?? false)
        switch job {
        case .write(let write):
            let old = files[write.name]
            if checks {
                switch (write.expected, old) {
                case (nil, nil): break
                case (let expected?, let file?) where hash.hash(file.bytes) == expected: break
                default: return .overtaken
                }
            }
            let durable = unflushed[write.name] ?? old
            put(write.name, write.bytes, keepsInode: false)
            unflushed[write.name] = .some(durable)
            daemonWrites += 1
            report([write.name])
            return files[write.name].map { .written(seen($0.stamp)) } ?? .overtaken
        case .remove(let name, let expected):
            guard let file = files[name] else { return .overtaken }
            if checks, hash.hash(file.bytes) != expected { return .overtaken }
            keepBackup(name)
            files[name] = nil
            unflushed[name] = .some(unflushed[name] ?? file)
            daemonWrites += 1
            report([name])
            return .removed
        }
    }
}

extension FileJob {
    /// The job for a trace.
    fileprivate var text: String {
        switch self {
        case .write(let write):
            "write \(name) \(String(decoding: write.bytes, as: UTF8.self).filter { $0 != "\n" && $0 != " " })"
        case .remove: "remove \(name)"
        }
    }
}
