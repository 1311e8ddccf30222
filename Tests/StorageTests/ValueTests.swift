import AddressBook
import JSON
import Replication
import Storage
import Testing

@Suite struct ValueTests {
    let scratch: Scratch
    init() throws { scratch = try Scratch() }

    @Test("Files are replaced by name, and a rename in one batch leaves the new name only")
    func files() throws {
        try scratch.withStore { store in
            let book = try store.book(named: "b")
            func file(_ name: String, _ state: String, stamp: Int64 = 1) -> FileRow {
                FileRow(
                    book: book,
                    name: name,
                    stamp: [stamp, -2, 3, .max, .min, 6],
                    state: Array(state.utf8)
                )
            }
            try store.commit {
                $0.files = [file("A.json", "1"), file("a.json", "2"), file("\u{E9}.json", "3")]
            }
            try store.commit { $0.files = [file("a.json", "4", stamp: 9), file("e\u{301}.json", "5")] }
            try store.commit {
                $0.removedFiles = [(book, "A.json"), (book, "a.json")]
                $0.files = [file("a.json", "6")]
            }
            let expected = [file("a.json", "6"), file("e\u{301}.json", "5"), file("\u{E9}.json", "3")]
            #expect(try store.files(book) == expected)
        }
    }

    @Test("Bases outlive their file and go by number or by age")
    func bases() throws {
        try scratch.withStore { store in
            let book = try store.book(named: "b")
            func base(_ name: String, _ number: Int64, _ time: UInt64) -> BaseRow {
                BaseRow(book: book, name: name, number: number, time: time, state: [UInt8(number)])
            }
            try store.commit {
                $0.files = [FileRow(book: book, name: "a", stamp: [], state: [])]
                $0.bases = [base("a", 1, 10), base("a", 2, 20), base("a", 3, 30), base("b", 1, 20)]
            }
            try store.commit {
                $0.removedFiles = [(book, "a")]
                $0.removedBases = [(book, "a", 2)]
            }
            #expect(try store.bases(book, "a") == [base("a", 1, 10), base("a", 3, 30)])
            try store.commit {
                $0.removedBasesBefore = [(book, 20)]
                $0.bases = [base("a", 3, 31)]
            }
            #expect(try store.bases(book, "a") == [base("a", 3, 31)])
            var all: [BaseRow] = []
            try store.eachBase(book) { all.append($0) }
            #expect(all == [base("a", 3, 31), base("b", 1, 20)])
            let counts = try store.counts(book)
            #expect(counts.files == 0 && counts.bases == 2)
        }
    }

    @Test("History is given newest first, for one uid, and goes by age")
    func history() throws {
        try scratch.withStore { store in
            let book = try store.book(named: "b")
            func line(_ uid: String, _ time: UInt64, peer: String? = nil) -> HistoryRow {
                HistoryRow(
                    book: book,
                    uid: UID(uid),
                    time: time,
                    session: "s",
                    origin: "directory",
                    what: "edit",
                    fields: ["name", "x/\u{0}:,5:", "\u{E9}", ""],
                    peer: peer
                )
            }
            try store.commit {
                $0.history = [line("a", 1), line("b", 2), line("a", 3, peer: "desk"), line("a", 4)]
            }
            #expect(
                try store.history(book, UID("a"), limit: 2) == [line("a", 4), line("a", 3, peer: "desk")]
            )
            try store.commit { $0.removedHistoryBefore = [(book, 3)] }
            #expect(try store.history(book, UID("a"), limit: 9).map(\.time) == [4, 3])
            #expect(try store.history(book, UID("b"), limit: 9).isEmpty)
        }
    }

    @Test("Keyed values and values of the database are replaced and removed")
    func values() throws {
        try scratch.withStore { store in
            let book = try store.book(named: "b")
            try store.commit {
                $0.meta = [("clock", [1]), ("gone", [2]), ("empty", [])]
                $0.blobs = [
                    (book, "held", "b", [1]), (book, "held", "a", [0, 255]), (book, "trash", "a", []),
                    (book, "held", "c", [3]), (book, "held", "c", nil),
                ]
            }
            try store.commit { $0.meta = [("clock", [9]), ("gone", nil)] }
            #expect(try store.meta("clock") == [9])
            #expect(try store.meta("gone") == nil)
            #expect(try store.meta("empty") == [])
            let held = try store.blobs(book, "held")
            #expect(held.map(\.key) == ["a", "b"])
            #expect(held.map(\.value) == [[0, 255], [1]])
            #expect(try store.blob(book, "trash", "a") == [])
            #expect(try store.blob(book, "trash", "b") == nil)
        }
    }
}
