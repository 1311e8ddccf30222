package import JSON

extension Writer {
    /// Removes a file if its bytes still have the hash that is expected; they go to the trash.
    package func remove(_ name: String, expected: ContentHash) -> RemoveResult {
        BookFolder.checkName(name)
        do {
            let folder = try open()
            return remove(name, expected, folder.number)
        } catch {
            return .failed(error, aside: [])
        }
    }

    private func remove(_ name: String, _ expected: ContentHash, _ folder: CInt) -> RemoveResult {
        do {
            guard try read(folder, name).hash == expected else { return .overtaken(aside: []) }
        } catch {
            return error.reason == .missing ? .missing : .overtaken(aside: [])
        }
        var temporary = TemporaryName(.removed(expected: expected), target: targetHash(name))
        do {
            try fresh(&temporary) { text throws(Errno) in try moveToFree(folder, name, text) }
        } catch {
            return error == .missing ? .missing : .failed(failure("remove", name, error), aside: [])
        }
        var old = OldFile(temporaryName: temporary.text, name: name, expected: expected)
        do throws(Errno) {
            if let out = try sight(folder, old.temporaryName), out.hash != expected {
                // Somebody saved in between. Where yet another save took the name, this one is told as an edit.
                do { try moveToFree(folder, old.temporaryName, name) } catch {
                    guard error == .exists else { throw error }
                    return .overtaken(aside: [old])
                }
                return .overtaken(aside: [])
            }
            try calls.sync(folder)
        } catch {
            return .failed(failure("remove", name, error), aside: [old])
        }
        if case .gone(let kept) = settle(&old, folder, now: nil) { return .done(kept: kept, old: nil) }
        return .done(kept: nil, old: old)
    }
}
