import AddressBook
import Controllers
import JSON

/// A directory of a few files in memory, whose jobs are carried out when the test says so.
final class FakeFolder: Folder {
    var files: [String: [UInt8]] = [:]
    /// What was asked for and is not carried out yet.
    private(set) var jobs: [FileJob] = []
    /// Whether the store knows of that.
    private(set) var isStored = false
    private var done: (([FileOutcome]) -> Void)?
    private let marker = FolderIdentity(device: 1, inode: 2, marker: "book", markerInode: 3)

    func make() throws(FolderFailure) {}
    func identity() throws(FolderFailure) -> FolderIdentity? { marker }
    func writeMarker(_ text: String) throws(FolderFailure) {}
    func list() throws(FolderFailure) -> FolderListing {
        FolderListing(entries: files.keys.sorted().compactMap(entry), unreadableNames: [])
    }
    func list(done: @escaping (Result<FolderListing, FolderFailure>) -> Void) {
        done(Result { () throws(FolderFailure) in try list() })
    }
    func stat(_ name: String) throws(FolderFailure) -> DirectoryEntry? { entry(name) }
    func read(_ name: String) throws(FileFailure) -> (bytes: [UInt8], stamp: FileStamp) {
        guard let bytes = files[name] else { throw FileFailure(kind: .missing, reason: name) }
        return (bytes, stamp(bytes))
    }
    func readAhead<Reading: Sendable>(
        _ files: [(name: String, known: FileStamp?)],
        _ reading: @escaping @Sendable ([UInt8]) -> Reading,
        done: @escaping ([(name: String, stamp: FileStamp, reading: Reading)]) -> Void
    ) { done([]) }
    func freeName(shown: String?, uid: String, isTaken: (String) -> Bool) -> String { "\(uid).json" }
    func flush() {}

    func carryOut(
        _ jobs: [FileJob],
        in identity: FolderIdentity,
        whenStored: (@escaping () -> Void) -> Void,
        done: @escaping ([FileOutcome]) -> Void
    ) {
        precondition(self.done == nil, "one call at a time")
        self.jobs = jobs
        self.done = done
        isStored = false
        whenStored { [self] in isStored = true }
    }

    /// Carries out what was asked for.
    func land() {
        precondition(isStored, "nothing happens before the store knows of it")
        let outcomes = jobs.map { job -> FileOutcome in
            switch job {
            case .write(let write):
                files[write.name] = write.bytes
                return .written(stamp(write.bytes))
            case .remove(let name, _):
                files[name] = nil
                return .removed
            }
        }
        let done = done
        (self.jobs, self.done) = ([], nil)
        done?(outcomes)
    }

    private func entry(_ name: String) -> DirectoryEntry? {
        files[name].map { DirectoryEntry(name: name, kind: .file, stamp: stamp($0)) }
    }

    private func stamp(_ bytes: [UInt8]) -> FileStamp {
        let size = Int64(bytes.count)
        return FileStamp(device: 1, inode: 4, size: size, modified: 5, changed: 5, mode: 0o100600)
    }
}
