import AddressBook
import JSON

extension Writer {
    /// How often a name is swapped back for saves that keep coming in between. Each takes a save within
    /// microseconds of the last.
    static let maxExchanges = 8

    /// Swaps the new file in and checks what came out.
    func replace(_ prepared: Prepared, _ folder: CInt) -> Step {
        guard let expected = prepared.expected else { preconditionFailure("only a known file is replaced") }
        let name = prepared.write.name
        do throws(Errno) { try calls.rename(folder, prepared.temporary.text, name, .exchange) } catch {
            if error.isUnsupported { return replacePlainly(prepared, expected, folder) }
            try? calls.unlink(folder, prepared.temporary.text)
            return .ended(error == .missing ? .missing : .failed(failure("exchange", name, error), aside: []))
        }
        let old = oldFile(prepared, expected)
        do {
            guard let out = try sight(folder, prepared.temporary.text) else {
                // Somebody removes our temporary files; what came out cannot be checked any more.
                return .placed(prepared, out: nil, old: nil, kept: nil)
            }
            if out.hash == expected { return .placed(prepared, out: out, old: old, kept: nil) }
            return .ended(.overtaken(aside: try giveBack(out, prepared, old, folder)))
        } catch {
            return .ended(.failed(failure("exchange", name, error), aside: [old]))
        }
    }

    /// Puts back what somebody saved before our swap, until nothing newer comes out. Gives what stays aside.
    private func giveBack(
        _ out: Sighting,
        _ prepared: Prepared,
        _ old: OldFile,
        _ folder: CInt
    ) throws(Errno) -> [OldFile] {
        let (name, temporary) = (prepared.write.name, prepared.temporary.text)
        var atName = prepared.ours
        var aside = out
        for _ in 0..<Self.maxExchanges {
            do { try calls.rename(folder, temporary, name, .exchange) } catch {
                guard error == .missing else { throw error }
                // Our file was removed meanwhile; the save goes back to its name all the same.
                do { try moveToFree(folder, temporary, name) } catch {
                    guard error == .exists else { throw error }
                    continue
                }
                return []
            }
            guard let came = try sight(folder, temporary) else { return [] }
            if came.isSame(atName) {
                guard came.isSame(prepared.ours) else { return [old] }
                // Ours again, but an editor may have opened it meanwhile.
                var ours = old
                ours.expected = prepared.intended
                ours.kept = prepared.intended
                if case .gone = settle(&ours, folder, now: nil) { return [] }
                return [ours]
            }
            (atName, aside) = (aside, came)
        }
        return [old]
    }

    /// Where there is no exchange: one more compare and a plain rename. A second name keeps the old file for an
    /// editor that has it open, where there are links.
    private func replacePlainly(_ prepared: Prepared, _ expected: ContentHash, _ folder: CInt) -> Step {
        let name = prepared.write.name
        var second = prepared.temporary
        second.serial += 1
        var hasSecond = false
        do throws(Errno) {
            do {
                try fresh(&second) { text throws(Errno) in try calls.link(folder, name, text) }
                hasSecond = true
            } catch {
                guard error.isUnsupported || error == .notPermitted else { throw error }
            }
            let current = try sight(folder, name)
            let old = oldFile(prepared, expected, at: second)
            guard let current, current.hash == expected else {
                // What was linked may be older than what lies there now: settling tells.
                try? calls.unlink(folder, prepared.temporary.text)
                return .ended(current == nil ? .missing : .overtaken(aside: hasSecond ? [old] : []))
            }
            // The bytes of a file without a second name are nowhere once its name is gone.
            let kept = hasSecond ? nil : try keep(current, name)
            try calls.rename(folder, prepared.temporary.text, name, .over)
            return .placed(prepared, out: current, old: hasSecond ? old : nil, kept: kept)
        } catch {
            try? calls.unlink(folder, prepared.temporary.text)
            if hasSecond { try? calls.unlink(folder, second.text) }
            return .ended(error == .missing ? .missing : .failed(failure("rename", name, error), aside: []))
        }
    }

    private func keep(_ file: Sighting, _ name: String) throws(Errno) -> String {
        do { return try trash.keep(file.bytes, name: name) } catch { throw Errno(error.errno) }
    }

    private func oldFile(_ prepared: Prepared, _ expected: ContentHash, at name: TemporaryName? = nil)
        -> OldFile
    {
        OldFile(
            temporaryName: (name ?? prepared.temporary).text,
            name: prepared.write.name,
            expected: expected
        )
    }
}
