import Glibc
import JSON

extension Writer {
    /// Where no lease can be had, a file that did not change for so long has no writer; in milliseconds. The
    /// slowest editors write and close within it.
    package static let quietTime: Int64 = 2000

    /// Looks whether a writer still holds an old file; if not, tells its edit, or removes it, its bytes kept.
    ///
    /// `now` is any clock that never goes back, in milliseconds, the same for all calls about one file.
    package func settle(_ old: inout OldFile, now: Int64) -> Settled {
        do {
            let folder = try open()
            return settle(&old, folder.number, now: now)
        } catch {
            return .failed(error)
        }
    }

    /// The same in the opened directory; without a time only a lease can settle it.
    func settle(_ old: inout OldFile, _ folder: CInt, now: Int64?) -> Settled {
        do {
            let file = try OpenedFile.open(folder, old.temporaryName, calls)
            return settle(&old, folder, file.number, now)
        } catch {
            return error.reason == .missing ? .gone(kept: nil) : .failed(refusal(old, error))
        }
    }

    private func settle(_ old: inout OldFile, _ folder: CInt, _ file: CInt, _ now: Int64?) -> Settled {
        do {
            // Held until the descriptor is closed, after the name is gone: nobody can begin to write meanwhile.
            try calls.takeLease(file)
        } catch {
            if error == .again || !isQuiet(&old, file, now) { return .stillOpen }
        }
        do {
            let bytes = try OpenedFile.read(file, old.temporaryName, calls).0
            let found = hash.hash(bytes)
            guard found == old.expected else { return .changed(bytes: bytes) }
            var kept: String?
            if old.kept != found {
                kept = try trash.keep(bytes, name: old.name ?? "recovered.json")
                old.kept = found
            }
            try during("unlink", self.folder.path(of: old.temporaryName)) { () throws(Errno) in
                try calls.unlink(folder, old.temporaryName)
            }
            return .gone(kept: kept)
        } catch let error as ReadError {
            return .failed(refusal(old, error))
        } catch let error as DirectoryError {
            return .failed(error)
        } catch {
            preconditionFailure("reading and the trash throw their own errors")
        }
    }

    /// Puts an old file back under a name that must be free, for a removal or replacement that turned out wrong.
    ///
    /// Throws with `EEXIST` if the name is taken.
    package func restore(_ old: OldFile, as name: String) throws(DirectoryError) {
        BookFolder.checkName(name)
        let folder = try open()
        try during("restore", self.folder.path(of: name)) { () throws(Errno) in
            try moveToFree(folder.number, old.temporaryName, name)
            try calls.sync(folder.number)
        }
    }

    /// Whether the file has been as it is for `quietTime`.
    private func isQuiet(_ old: inout OldFile, _ file: CInt, _ now: Int64?) -> Bool {
        guard let now, let stamp = try? calls.stamp(file) else { return false }
        if old.seen == stamp { return now - old.seenAt >= Self.quietTime }
        (old.seen, old.seenAt) = (stamp, now)
        return false
    }

    private func refusal(_ old: OldFile, _ error: ReadError) -> DirectoryError {
        let code: CInt =
            switch error.reason {
            case .missing: ENOENT
            case .notAFile: EINVAL
            case .unreadable(let code): code
            case .tooLarge: EFBIG
            case .unsteady: EBUSY
            }
        return failure("settle", old.temporaryName, Errno(code))
    }
}
