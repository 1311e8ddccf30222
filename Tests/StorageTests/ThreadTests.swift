import AddressBook
import JSON
import TestSupport
import Glibc
import Storage
import Testing

@Suite struct ThreadTests {
    @Test("Other threads commit while this one reads, and it sees whole batches only")
    func commitsElsewhere() async throws {
        let scratch = try Scratch()
        let store = try Store.open(directory: scratch.directory, hash: .test)
        defer { store.close() }
        store.recordStart(replica: 7)
        let book = try store.book(named: "b")
        let writer = store.writer
        let rounds = 60 as UInt64
        let commits = Task.detached {
            await withTaskGroup { group in
                for half in 0...1 as ClosedRange<UInt64> {
                    group.addTask {
                        for round in 0..<rounds {
                            var batch = Batch()
                            let seq = (round * 2 + half) * 2 + 1
                            batch.records = [
                                record(book, "a\(half)", seq: seq, salt: "\(round)"),
                                record(book, "b\(half)", seq: seq + 1, salt: "\(round)"),
                            ]
                            if case .failure(let error) = writer.commit(batch) { Issue.record(error) }
                        }
                    }
                }
            }
        }
        var last: UInt64 = 0
        while last < rounds * 4 {
            let rows = try store.records(book, after: 0, limit: 10, maxBytes: .max)
            #expect(rows.count % 2 == 0 && rows.allSatisfy { !$0.isDamaged })
            let bySeq = Dictionary(uniqueKeysWithValues: rows.map { ($0.uid.text, $0.seq) })
            for half in 0...1 {
                #expect(bySeq["a\(half)"].map { $0 + 1 } == bySeq["b\(half)"])
            }
            last = try store.head(book)
        }
        await commits.value
    }
}
