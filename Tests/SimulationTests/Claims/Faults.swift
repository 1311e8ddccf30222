import AddressBook
import JSON
import Replication
import Testing
import Wire

/// The faults that are planted, by what is wrong.
enum Faults {
    /// One of them.
    struct Planted: Sendable, CustomTestStringConvertible {
        var name: String
        /// The first seed that is tried: the first that found it when it was planted.
        var seed: UInt64
        /// Rounds in which it shows.
        var rounds = 2
        var plant: @Sendable () -> Fault
        var testDescription: String { name }
    }

    static let all: [Planted] = [
        Planted(name: "a dot reused", seed: 54) { DotReused() },
        Planted(name: "a checkpoint committed before its batch", seed: 24, rounds: 5) { EarlyCheckpoint() },
        Planted(name: "only one base kept", seed: 42) { OneBase() },
        Planted(name: "settled before the flush", seed: 22) { EarlySettle() },
        Planted(name: "values forgotten together with their dots", seed: 48) { DotsForgotten() },
        Planted(name: "the book's own record forgotten", seed: 36) { BookForgotten() },
        Planted(name: "a join that keeps one side", seed: 52) { OneSide() },
        Planted(name: "all full names replaced by a rename", seed: 30) { AllNames() },
        Planted(name: "a deletion that drops @alive dots the file never showed", seed: 16, rounds: 5) {
            UnseenAlive()
        },
        Planted(name: "an edit that replaces dots it had not seen", seed: 372) { UnseenDots() },
        Planted(name: "a stamp that says nothing of the content", seed: 6) { BlindStamp() },
        Planted(name: "a swap that does not look what it replaces", seed: 18) { BlindSwap() },
        Planted(name: "a batch torn by a crash", seed: 24) { TornBatch() },
        Planted(name: "what files hold is not stored", seed: 24) { FilesForgotten() },
        Planted(name: "evidence judged from what is already joined", seed: 114) { JoinedEvidence() },
        Planted(name: "a batch that leaves a record out", seed: 25) { LeakyBatch() },
        Planted(name: "a comparison whose records get lost", seed: 10, rounds: 5) { LostHeal() },
    ]
}

/// Each start of a machine takes the ID of the one before and counts from one again.
private final class DotReused: Fault {
    override func start(of machine: String) -> UInt64? { machine.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) } }
}

/// A crash may come between the checkpoint and the records that it stands for.
private final class EarlyCheckpoint: Fault {
    override func beforeCommit(_ batch: AddressBook.Batch, _ state: inout StoreState, start: UInt64) {
        for (_, peer, checkpoint) in batch.checkpoints { state.checkpoints[peer] = checkpoint }
    }
}

/// Every save is compared with what was shown last.
private final class OneBase: Fault {
    override func bases(_ rows: [BaseRow], _ uid: UID, _ state: StoreState) -> [BaseRow] {
        Array(rows.prefix(1))
    }
}

/// The store says that a file is written while a power cut could still undo it.
private final class EarlySettle: Fault {
    override var settlesEarly: Bool { true }
}

/// A tombstone keeps what was seen and no dots.
private final class DotsForgotten: Fault {
    override func batch(_ batch: AddressBook.Batch, _ state: StoreState) -> AddressBook.Batch {
        changing(batch) { record in
            guard record.hasForgottenValues else { return }
            for (key, versions) in record.fields where key != .deleted {
                let kept = versions.filter { $0.value.value != nil }
                record.fields[key] = kept.isEmpty ? nil : kept
            }
        }
    }
}

/// What people said of numbers is not stored.
private final class BookForgotten: Fault {
    override func batch(_ batch: AddressBook.Batch, _ state: StoreState) -> AddressBook.Batch {
        var batch = batch
        batch.records.removeAll { $0.uid.isBook }
        return batch
    }
}

/// Of concurrent values the latest is stored.
private final class OneSide: Fault {
    override func batch(_ batch: AddressBook.Batch, _ state: StoreState) -> AddressBook.Batch {
        changing(batch) { record in
            for (key, versions) in record.fields where !key.isOwn && versions.count > 1 {
                let last = versions.max { ($0.value.time, $0.key) < ($1.value.time, $1.key) }
                record.fields[key] = versions.filter { $0.key == last?.key }
            }
        }
    }
}

/// A name that lost counts as shown with the one that won.
private final class AllNames: Fault {
    override func bases(_ rows: [BaseRow], _ uid: UID, _ state: StoreState) -> [BaseRow] {
        changing(rows) { base in
            let lost = base.items.values.flatMap { $0.sources.filter { $0.key == .name } }
            let known = base.items[.name]?.sources ?? []
            base.items[.name]?.sources += lost.filter { !known.contains($0) }
        }
    }
}

/// A version stands for all that keeps its records alive now.
private final class UnseenAlive: Fault {
    override func bases(_ rows: [BaseRow], _ uid: UID, _ state: StoreState) -> [BaseRow] {
        changing(rows) { base in
            for uid in base.uids { base.alive[uid] = record(uid, state)?.fields[.alive]?.keys.sorted() ?? [] }
        }
    }
}

/// A version stands for all values that its fields have now.
private final class UnseenDots: Fault {
    override func bases(_ rows: [BaseRow], _ uid: UID, _ state: StoreState) -> [BaseRow] {
        changing(rows) { base in
            for (key, item) in base.items {
                base.items[key]?.sources = item.sources.flatMap { source -> [Source] in
                    guard let versions = record(source.uid, state)?.fields[source.key] else {
                        return [source]
                    }
                    return versions.keys.sorted().map {
                        Source(uid: source.uid, key: source.key, dot: $0, creation: source.creation)
                    }
                }
            }
        }
    }
}

/// A file that was saved looks as it did.
private final class BlindStamp: Fault {
    override func stamp(_ stamp: FileStamp) -> FileStamp {
        FileStamp(device: 1, inode: 1, size: 0, modified: 0, changed: 0, mode: stamp.mode)
    }
}

/// Whoever saves between the look and the swap is overwritten.
private final class BlindSwap: Fault {
    override var overwrites: Bool { true }
}

/// A crash on the way of a commit leaves what files hold without the records that they led to.
private final class TornBatch: Fault {
    override func tears(_ batch: AddressBook.Batch, _ state: inout StoreState, start: UInt64) -> Bool {
        var part = batch
        part.records = []
        state.apply(part, start: start)
        return true
    }
}

/// Which item of which file is which record is known until the next start.
private final class FilesForgotten: Fault {
    override func batch(_ batch: AddressBook.Batch, _ state: StoreState) -> AddressBook.Batch {
        var batch = batch
        batch.files = []
        return batch
    }
}

/// A record counts as carrying the name and all numbers of its person.
private final class JoinedEvidence: Fault {
    override func profile(of row: RecordRow, _ state: StoreState) -> [UInt8] {
        let records = Shown.records(in: state)
        guard var profile = Profile.decode(uid: row.uid, row.profile),
            let person = Shown.persons(of: records, policy: .phone).first(where: { $0.contains(row.uid) })
        else { return row.profile }
        if let first = records[person[0]] { profile.name = Profile(first).name }
        for record in person.compactMap({ records[$0] }) {
            profile.phones.merge(Profile(record).phones) { own, _ in own }
        }
        return profile.encode()
    }
}

/// Of a batch of several the first record never arrives, and the checkpoint says it did.
private final class LeakyBatch: Fault {
    override func messages(_ message: Message) -> [Message] {
        guard case .batch(let batch) = message, batch.records.count > 1, batch.to.seq % 5 == 0 else {
            return [message]
        }
        return [
            .batch(
                Wire.Batch(
                    book: batch.book,
                    from: batch.from,
                    to: batch.to,
                    records: Array(batch.records.dropFirst()),
                    remaining: batch.remaining
                )
            )
        ]
    }
}

/// What a comparison found to differ never arrives.
private final class LostHeal: Fault {
    override func messages(_ message: Message) -> [Message] {
        guard case .heal(let heal) = message else { return [message] }
        return [.heal(Heal(book: heal.book, isAnswer: heal.isAnswer, records: [], isLast: heal.isLast))]
    }
}

extension Fault {
    /// A batch with other records than were to be stored.
    fileprivate func changing(
        _ batch: AddressBook.Batch,
        _ change: (inout Record) -> Void
    ) -> AddressBook.Batch {
        var batch = batch
        for at in batch.records.indices {
            guard var record = decoded(batch.records[at].body) else { continue }
            change(&record)
            batch.records[at].body = JSONWriter.bytes(RecordCoding.encode(record))
        }
        return batch
    }

    /// Versions with other dots behind them than were noted.
    fileprivate func changing(_ rows: [BaseRow], _ change: (inout Base) -> Void) -> [BaseRow] {
        rows.map { row in
            guard var base = Base.decode(row.state) else {
                return row
            }
            change(&base)
            var row = row
            row.state = base.encode()
            return row
        }
    }

    fileprivate func record(_ uid: UID, _ state: StoreState) -> Record? {
        state.records[uid].flatMap { decoded($0.body) }
    }

    private func decoded(_ body: [UInt8]) -> Record? {
        guard let value = try? JSONReader.value(body, maxDepth: RecordLimits.depth) else { return nil }
        return try? RecordCoding.decode(value)
    }
}
