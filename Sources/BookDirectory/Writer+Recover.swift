import JSON

extension Writer {
    /// At start, and after a refused write, while nothing is being written: removes what was not swapped in, and gives
    /// what may be somebody's bytes or could not be removed, each to be settled (`settle`) or, where it is an edit,
    /// read first.
    package func recover() throws(DirectoryError) -> [Leftover] {
        let folder = try open()
        var leftovers: [Leftover] = []
        for name in try self.folder.names(folder.number) {
            guard let text = String(validating: name, as: UTF8.self) else { continue }
            if text.hasPrefix(TemporaryName.unfinishedPrefix), removes(text, folder.number) { continue }
            if let temporary = TemporaryName(text), let leftover = recover(temporary, folder.number) {
                leftovers.append(leftover)
            }
        }
        return leftovers
    }

    /// At start: makes durable what a run before swapped in and did not come to flush.
    package func flush() {
        guard let folder = try? open() else { return }
        try? calls.syncFileSystem(folder.number)
    }

    private func removes(_ name: String, _ folder: CInt) -> Bool { (try? calls.unlink(folder, name)) != nil }

    private func recover(_ temporary: TemporaryName, _ folder: CInt) -> Leftover? {
        guard let found = try? read(folder, temporary.text), let hash = found.hash else { return nil }
        let content: Leftover.Content
        var old: OldFile
        switch temporary.purpose {
        case .unfinished:
            // Worthless, and the machine does not remove it now.
            old = OldFile(temporaryName: temporary.text, name: nil, expected: hash, kept: hash)
            content = .replaced
        case .removed(let expected):
            old = OldFile(temporaryName: temporary.text, name: nil, expected: expected)
            content = hash == expected ? .removed : .edited
        case .swap(let intended, let expected):
            if hash == intended {
                // Ours, not swapped in or swapped back; unless a writer has it open, it goes.
                old = OldFile(temporaryName: temporary.text, name: nil, expected: intended, kept: intended)
                if case .gone = settle(&old, folder, now: nil) { return nil }
                content = .replaced
            } else {
                old = OldFile(temporaryName: temporary.text, name: nil, expected: expected)
                content = hash == expected ? .replaced : .edited
            }
        }
        return Leftover(file: old, content: content, bytes: found.bytes, target: temporary.target)
    }
}
