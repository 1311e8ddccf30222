package import AddressBook
package import JSON

/// What the directory says when it cannot.
package struct FolderFailure: Error, Hashable, Sendable {
    package let reason: String
    package init(reason: String) { self.reason = reason }
}

/// Why a file cannot be read.
package struct FileFailure: Error, Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// There is no such file.
        case missing
        /// It is being written; its end will be an event.
        case unsteady
        /// It is no regular file, too large, or the machine refuses.
        case unreadable
    }

    package let kind: Kind
    package let reason: String

    package init(kind: Kind, reason: String) {
        self.kind = kind
        self.reason = reason
    }
}

/// One change of a file that the daemon makes.
package enum FileJob: Sendable {
    case write(FileWrite)
    /// Takes the file away, if it holds what is expected; its bytes go to the trash.
    case remove(name: String, expected: ContentHash)

    /// The name of the file.
    package var name: String {
        switch self {
        case .write(let write): write.name
        case .remove(let name, _): name
        }
    }
}

/// What became of a job.
package enum FileOutcome: Hashable, Sendable {
    /// The bytes lie there, durably, under this stamp.
    case written(FileStamp)
    /// The name is free, durably.
    case removed
    /// Something else lies there now; it stays.
    case overtaken
    /// The machine refused; what had been there is there.
    case failed(reason: String)
}

/// What a look at the whole directory found.
package struct FolderListing: Sendable {
    package var entries: [DirectoryEntry]
    /// Names that are no text, escaped for people.
    package var unreadableNames: [String]

    package init(entries: [DirectoryEntry], unreadableNames: [String]) {
        self.entries = entries
        self.unreadableNames = unreadableNames
    }
}

/// The port to a book's directory.
package protocol Folder: AnyObject {
    /// Makes the directory, at a book's first start only.
    func make() throws(FolderFailure)
    /// By what the directory is recognised; nil if there is none.
    func identity() throws(FolderFailure) -> FolderIdentity?
    func writeMarker(_ text: String) throws(FolderFailure)
    func list() throws(FolderFailure) -> FolderListing
    /// The same, away from the loop.
    func list(done: @escaping (Result<FolderListing, FolderFailure>) -> Void)
    /// What lies under a name, nil if nothing does.
    func stat(_ name: String) throws(FolderFailure) -> DirectoryEntry?
    func read(_ name: String) throws(FileFailure) -> (bytes: [UInt8], stamp: FileStamp)
    /// Reads files away from the loop and hands their bytes to `reading` there; `done` gets those that could be read,
    /// without those that lie there under the stamp that is known of them.
    func readAhead<Reading: Sendable>(
        _ files: [(name: String, known: FileStamp?)],
        _ reading: @escaping @Sendable ([UInt8]) -> Reading,
        done: @escaping ([(name: String, stamp: FileStamp, reading: Reading)]) -> Void
    )
    /// A free and safe name for a contact's new file; `isTaken` is asked with the folded form.
    func freeName(shown: String?, uid: String, isTaken: (String) -> Bool) -> String
    /// Makes durable what an earlier run wrote and perhaps did not flush, as far as the machine lets it.
    func flush()
    /// Carries jobs out, away from the loop. One call at a time.
    ///
    /// - Parameters:
    ///   - whenStored: calls back when the store knows what is about to happen; nobody sees anything of it before.
    ///   - done: gets an outcome for each job.
    func carryOut(
        _ jobs: [FileJob],
        in identity: FolderIdentity,
        whenStored: (@escaping () -> Void) -> Void,
        done: @escaping ([FileOutcome]) -> Void
    )
}

/// The port to time: the wall clock is the replica's, this is for waiting.
package protocol Scheduler: AnyObject {
    /// Calls back after some milliseconds, on the loop, unless the answer is called before.
    func after(_ milliseconds: UInt64, _ body: @escaping () -> Void) -> () -> Void
    /// A clock that never goes back, milliseconds.
    var uptime: UInt64 { get }
}
