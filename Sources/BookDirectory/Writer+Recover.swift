import JSON

extension Writer {
    /// At start, before the first write: removes what a crashed run had not yet swapped in, and gives what may be
    /// somebody's bytes, each to be settled (`settle`) or, where it is an edit, read first.
    package func recover() throws(DirectoryError) -> [Leftover] {
        let folder = try open()
        var leftovers: [Leftover] = []
        for name in try self.folder.names(folder.number) {
            guard let text = String(validating: name, as: UTF8.self) else { continue }
            if text.hasPrefix(TemporaryName.unfinishedPrefix) {
                try? calls.unlink(folder.number, text)
            } else if let temporary = TemporaryName(text),
                let leftover = recover(temporary, folder.number)
            {
                leftovers.append(leftover)
            }
        }
        return leftovers
    }

    private func recover(_ temporary: TemporaryName, _ folder: CInt) -> Leftover? {
        guard let found = try? read(folder, temporary.text), let hash = found.hash else { return nil }
        let content: Leftover.Content
        var old: OldFile
        switch temporary.purpose {
        case .unfinished: return nil
        case .removed(let expected):
            old = OldFile(temporaryName: temporary.text, name: nil, expected: expected)
            content = hash == expected ? .removed : .edited
        case .swap(let intended, let expected):
            if hash == intended {
                // Ours, not swapped in or swapped back; unless a writer has it open, it goes.
                old = OldFile(temporaryName: temporary.text, name: nil, expected: intended, kept: intended)
                guard case .stillOpen = settle(&old, folder, now: nil) else { return nil }
                content = .replaced
            } else {
                old = OldFile(temporaryName: temporary.text, name: nil, expected: expected)
                content = hash == expected ? .replaced : .edited
            }
        }
        return Leftover(file: old, content: content, bytes: found.bytes, target: temporary.target)
    }
}
