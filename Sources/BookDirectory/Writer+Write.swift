package import AddressBook
import JSON

extension Writer {
    /// Up to so many files are synced one by one; above, the whole file system is, which also waits for the writes
    /// of everyone else on the machine.
    static let maxSinglySynced = 8

    /// Writes a batch of files; the results are in the order of the writes.
    ///
    /// All new bytes are on the disk before the first name changes, and when this returns, so are the changed names.
    package func write(_ writes: [FileWrite]) -> [WriteResult] { swap(prepare(writes)) }

    /// Puts the new bytes under temporary names; they are on the disk when this returns.
    ///
    /// The longer part of writing, of which nobody sees anything: it may be done while the store commits what is to be
    /// written. What is ready is swapped in or discarded.
    package func prepare(_ writes: [FileWrite]) -> ReadyWrites {
        let folder: Descriptor
        do { folder = try open() } catch {
            return ReadyWrites(steps: writes.map { _ in .ended(.failed(error, aside: [])) })
        }
        return ReadyWrites(steps: prepare(writes, folder.number))
    }

    private func prepare(_ writes: [FileWrite], _ folder: CInt) -> [Step] {
        let singly = writes.count <= Self.maxSinglySynced
        var steps = writes.map { prepare($0, folder, synced: singly) }
        if !singly { flush(&steps, folder) }
        for i in steps.indices { markComplete(&steps[i], folder) }
        return steps
    }

    /// Gives what is ready its names, where there is still what was expected, and keeps what it replaces; the results are
    /// in the order of the writes.
    package func swap(_ ready: ReadyWrites) -> [WriteResult] {
        let folder: Descriptor
        do { folder = try open() } catch {
            return ready.steps.map { $0.failed(error) }
        }
        return swap(ready.steps, folder.number)
    }

    private func swap(_ ready: [Step], _ folder: CInt) -> [WriteResult] {
        var steps = ready
        for i in steps.indices {
            guard case .prepared(let prepared) = steps[i] else { continue }
            steps[i] = prepared.expected == nil ? create(prepared, folder) : replace(prepared, folder)
        }
        let synced = settleNames(folder)
        let kept = keepOld(of: steps)
        return steps.indices.map { finish(steps[$0], folder, kept: kept[$0], synced: synced) }
    }

    /// Takes away what is ready and will not be swapped in.
    package func discard(_ ready: ReadyWrites) {
        guard let folder = try? open() else { return }
        for case .prepared(let prepared) in ready.steps {
            try? calls.unlink(folder.number, prepared.temporary.text)
        }
    }

    /// Makes the temporary file, if what lies under the name is still what was expected.
    private func prepare(_ write: FileWrite, _ folder: CInt, synced: Bool) -> Step {
        do {
            guard let expected = write.expected else {
                let (name, stamp) = try makeTemporary(folder, write, like: nil, synced: synced)
                return .prepared(Prepared(write, expected: nil, hash.hash(write.bytes), name, stamp))
            }
            let current = try OpenedFile(folder, write.name, calls)
            guard hash.hash(current.bytes) == expected else { return .ended(.overtaken(aside: [])) }
            let (name, stamp) = try makeTemporary(
                folder,
                write,
                like: current.descriptor.number,
                synced: synced
            )
            return .prepared(Prepared(write, expected: expected, hash.hash(write.bytes), name, stamp))
        } catch let error as ReadError {
            return .ended(error.reason == .missing ? .missing : .overtaken(aside: []))
        } catch let error as Errno {
            return .ended(.failed(failure("write", write.name, error), aside: []))
        } catch {
            preconditionFailure("reading and system calls throw their own errors")
        }
    }

    /// From here on a crash leaves a name that tells by its content how far we came.
    private func markComplete(_ step: inout Step, _ folder: CInt) {
        guard case .prepared(var prepared) = step, let expected = prepared.expected else { return }
        let unfinished = prepared.temporary
        prepared.temporary = TemporaryName(
            .swap(intended: prepared.intended, expected: expected),
            target: unfinished.target
        )
        do {
            try fresh(&prepared.temporary) { text throws(Errno) in
                try moveToFree(folder, unfinished.text, text)
            }
            step = .prepared(prepared)
        } catch {
            try? calls.unlink(folder, unfinished.text)
            step = .ended(.failed(failure("rename", prepared.write.name, error), aside: []))
        }
    }

    /// One sync for all; without it nothing is swapped in.
    private func flush(_ steps: inout [Step], _ folder: CInt) {
        do { try calls.syncFileSystem(folder) } catch {
            for i in steps.indices {
                guard case .prepared(let prepared) = steps[i] else { continue }
                try? calls.unlink(folder, prepared.temporary.text)
                steps[i] = .ended(.failed(failure("sync", prepared.write.name, error), aside: []))
            }
        }
    }

    private func create(_ prepared: Prepared, _ folder: CInt) -> Step {
        do {
            try moveToFree(folder, prepared.temporary.text, prepared.write.name)
            return .placed(prepared, out: nil, old: nil, kept: nil)
        } catch {
            try? calls.unlink(folder, prepared.temporary.text)
            return .ended(
                error == .exists ? .exists : .failed(failure("rename", prepared.write.name, error), aside: [])
            )
        }
    }

    /// Makes the new names durable.
    private func settleNames(_ folder: CInt) -> Errno? {
        do { try calls.sync(folder) } catch { return error }
        return nil
    }

    /// Puts all that came out into the trash at once; nil where there was nothing or the trash refused, which leaves
    /// the old file to be settled later.
    private func keepOld(of steps: [Step]) -> [String?] {
        var items: [Trash.Item] = []
        var places: [Int] = []
        for (i, step) in steps.enumerated() {
            guard case .placed(let prepared, let out?, _, nil) = step else { continue }
            items.append(Trash.Item(bytes: out.bytes, name: prepared.write.name))
            places.append(i)
        }
        var kept = [String?](repeating: nil, count: steps.count)
        guard let ids = try? trash.keep(items) else { return kept }
        for (place, id) in zip(places, ids) { kept[place] = id }
        return kept
    }

    private func finish(_ step: Step, _ folder: CInt, kept: String?, synced: Errno?) -> WriteResult {
        switch step {
        case .ended(let result): return result
        case .prepared: preconditionFailure("a prepared write has been carried out")
        case .placed(let prepared, let out, var old, let keptBefore):
            let kept = kept ?? keptBefore
            if kept != nil { old?.kept = out?.hash }
            if let synced {
                return .failed(failure("sync", prepared.write.name, synced), aside: old.map { [$0] } ?? [])
            }
            var stamp = prepared.stamp
            // Only our own file gives its new stamp; a newer save must not pass for what we wrote.
            if let now = try? calls.lstat(folder, prepared.write.name).stamp, now.isSameContent(stamp) {
                stamp = now
            }
            if var file = old, file.kept != nil {
                if case .gone = settle(&file, folder, now: nil) { old = nil } else { old = file }
            }
            return .done(stamp: stamp, kept: kept, old: old)
        }
    }
}

extension Writer {
    /// A write whose temporary file is ready.
    struct Prepared: Sendable {
        let write: FileWrite
        let expected: ContentHash?
        let intended: ContentHash
        var temporary: TemporaryName
        /// The stamp of the temporary file; renaming it changes `changed`.
        let stamp: FileStamp

        init(
            _ write: FileWrite,
            expected: ContentHash?,
            _ intended: ContentHash,
            _ temporary: TemporaryName,
            _ stamp: FileStamp
        ) {
            self.write = write
            self.expected = expected
            self.intended = intended
            self.temporary = temporary
            self.stamp = stamp
        }

        /// What is to be seen where the new file lies, if nobody has touched it.
        var ours: Sighting { Sighting(stamp: stamp, hash: intended, bytes: []) }
    }

    /// How far one write of a batch has come.
    enum Step: Sendable {
        /// The temporary file is ready.
        case prepared(Prepared)
        /// The new file lies under the name; what came out, where it lies, if it has a name, and the trash's ID for
        /// it, if it had to be kept before.
        case placed(Prepared, out: Sighting?, old: OldFile?, kept: String?)
        /// There is nothing more to do.
        case ended(WriteResult)

        /// What becomes of it where the directory cannot be had any more.
        func failed(_ error: DirectoryError) -> WriteResult {
            if case .ended(let result) = self { result } else { .failed(error, aside: []) }
        }
    }
}
