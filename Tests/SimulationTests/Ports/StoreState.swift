import AddressBook
import JSON
import Replication

/// All that a database holds, as a value: a copy is a backup.
struct StoreState {
    var records: [UID: RecordRow] = [:]
    var files: [String: FileRow] = [:]
    var bases: [String: [Int64: BaseRow]] = [:]
    var checkpoints: [String: Checkpoint] = [:]
    var blobs: [String: [String: [UInt8]]] = [:]
    var clock: UInt64 = 0
    var head: UInt64 = 0
    /// The first number that each start gave out.
    var starts: [(first: UInt64, replica: UInt64)] = []

    /// Takes a batch in, in the order that `Batch` states.
    mutating func apply(_ batch: Batch, start: UInt64) {
        applyRecords(batch, start: start)
        applyFiles(batch)
        for (_, peer, checkpoint) in batch.checkpoints { checkpoints[peer] = checkpoint }
        for (key, value) in batch.meta where key == "clock" {
            clock = value.flatMap { UInt64(String(decoding: $0, as: UTF8.self)) } ?? 0
        }
        for (_, kind, key, value) in batch.blobs { blobs[kind, default: [:]][key] = value }
    }

    mutating func applyRecords(_ batch: Batch, start: UInt64) {
        for row in batch.removedRecords { records[row.uid] = nil }
        if !batch.records.isEmpty, starts.last?.replica != start { starts.append((head + 1, start)) }
        for row in batch.records {
            records[row.uid] = row
            head = max(head, row.seq)
        }
    }

    private mutating func applyFiles(_ batch: Batch) {
        for row in batch.removedFiles { files[row.name] = nil }
        for row in batch.files { files[row.name] = row }
        for row in batch.removedBases { bases[row.name]?[row.number] = nil }
        for row in batch.bases { bases[row.name, default: [:]][row.number] = row }
    }

    /// Whom files show as one, or are about to.
    var personsInFiles: [[UID]] {
        files.values.flatMap { file -> [[UID]] in
            guard let record = FileRecord.decode(file.state, stamp: .unknown) else { return [] }
            var items = record.known?.items ?? []
            if case .write(let next) = record.intention { items += next.items }
            return items.map(\.uids)
        }
    }

    /// Whether a file was about to be written and is not known to be.
    func isBetween(_ name: String) -> Bool { intention(name) != nil }

    private func intention(_ name: String) -> FileRecord.Intention? {
        files[name].flatMap { FileRecord.decode($0.state, stamp: .unknown)?.intention }
    }

    /// The start that gave out a number, 0 for none.
    func mark(of seq: UInt64) -> UInt64 {
        guard seq > 0, seq <= head else { return 0 }
        return starts.last { $0.first <= seq }?.replica ?? 0
    }
}
