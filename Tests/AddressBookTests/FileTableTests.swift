import AddressBook
import JSON
import Replication
import Testing

@Suite
struct FileTableTests {
    /// What the table packs, kept plainly.
    private struct Model {
        var files: [ExactString: FileState] = [:]

        func names(showing uid: UID) -> [ExactString] {
            files.filter { $0.value.items.contains { $0.uids.contains(uid) } }.keys.sorted()
        }
    }

    private static let names = [
        "a.json", "A.json", "\u{E9}.json", "e\u{301}.json", "long name of a file.json", "x/y",
    ]
    private static let uids = [
        "u1", "u2", "urn:uuid:6f1ed002-ab5a-11e9-a2a3-2a2ae2dbcce4", "\u{E9}", "e\u{301}",
    ]
    .map { UID($0) }

    private static func state(_ random: inout SystemRandomNumberGenerator) -> FileState {
        let items = (0..<Int.random(in: 0...3, using: &random)).map { _ in
            let uids = Array(uids.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)))
            return HeldItem(
                uid: uids[0],
                uids: uids,
                content: ContentHash(high: .random(in: 0 ... .max, using: &random), low: 2),
                isPlain: .random(using: &random),
                written: [nil, uids[0].text, "another"].randomElement(using: &random) ?? nil,
                role: [HeldItem.Role.own, .copy, .apart].randomElement(using: &random) ?? .own
            )
        }
        let stamp = FileStamp(
            device: 1,
            inode: .random(in: 0...9, using: &random),
            size: 2,
            modified: -3,
            changed: 4,
            mode: 0o100644
        )
        return FileState(
            stamp: stamp,
            bytes: ContentHash(high: 5, low: .random(in: 0 ... .max, using: &random)),
            isArray: items.count != 1,
            items: items,
            flaws: Int.random(in: 0...3, using: &random) == 0 ? [Flaw(item: 1, reason: "broken")] : [],
            aside: Int.random(in: 0...3, using: &random) == 0
                ? Flaw(line: 2, column: 3, reason: "no JSON") : nil
        )
    }

    private static func expect(_ table: FileTable, equals model: Model) {
        #expect(table.count == model.files.count)
        for name in names.map({ ExactString($0) }) {
            #expect(table[name] == model.files[name])
            #expect(table.stamp(of: name) == model.files[name]?.stamp)
            let folded = name.text.lowercased()
            #expect(
                table.isTaken(folded: folded) == model.files.keys.contains { $0.text.lowercased() == folded }
            )
        }
        for uid in uids {
            #expect(table.names(showing: uid).sorted() == model.names(showing: uid))
            #expect(table.isShown(uid) == !model.names(showing: uid).isEmpty)
        }
        var shown: [[UID]] = []
        table.eachShown { shown.append($0) }
        func inOrder(_ items: [[UID]]) -> [String] {
            items.map { $0.map(\.text).joined(separator: "|") }.sorted()
        }
        #expect(inOrder(shown) == inOrder(model.files.values.flatMap { $0.items.map(\.uids) }))
        let flawed = model.files.filter { $0.value.aside != nil || !$0.value.flaws.isEmpty }
        #expect(table.flawed.map(\.name) == flawed.keys.sorted())
    }

    @Test("Whatever files come, change and go, the table says of them what was said last")
    func remembers() {
        var random = SystemRandomNumberGenerator()
        var table = FileTable()
        var model = Model()
        for _ in 0..<400 {
            let name = ExactString(Self.names.randomElement(using: &random) ?? "")
            let state = Int.random(in: 0...2, using: &random) == 0 ? nil : Self.state(&random)
            table[name] = state
            model.files[name] = state
            Self.expect(table, equals: model)
        }
    }

    @Test("A row of the store is taken as it is, or not at all where there is more to know")
    func takes() {
        var random = SystemRandomNumberGenerator()
        var taken = 0
        for _ in 0..<200 {
            let state = Self.state(&random)
            var record = FileRecord(known: state)
            switch Int.random(in: 0...5, using: &random) {
            case 0: record.intention = .remove
            case 1: record.intention = .write(Self.state(&random))
            case 2: record.missing = state.items
            default: break
            }
            let name = Self.names.randomElement(using: &random) ?? ""
            let row = FileRow(book: 1, name: name, stamp: state.stamp.numbers, state: record.encode())
            var table = FileTable()
            var model = Model()
            let isPlain = record == FileRecord(known: state) && !state.isFlawed
            let wasTaken = table.take(row)
            #expect(wasTaken == isPlain)
            if isPlain {
                taken += 1
                model.files[ExactString(name)] = state
            }
            Self.expect(table, equals: model)
            for end in row.state.indices {
                var cut = FileTable()
                let short = FileRow(book: 1, name: name, stamp: row.stamp, state: Array(row.state[..<end]))
                let isCutTaken = cut.take(short)
                #expect(!isCutTaken)
            }
            // A damaged byte costs the row, or another value in it, and never the daemon: no text may be no text.
            for at in row.state.indices {
                var damaged = FileTable()
                var bytes = row.state
                bytes[at] = 0xFF
                let isTaken =
                    damaged.take(FileRow(book: 1, name: name, stamp: row.stamp, state: bytes))
                #expect((damaged[ExactString(name)] != nil) == isTaken)
            }
            let isTakenAgain = table.take(row)
            #expect(!isTakenAgain || !isPlain, "a file that is there is not taken again")
        }
        #expect(taken > 20)
    }

    @Test("What differs from a directory is new, changed or gone, by the stamps alone")
    func differs() {
        var random = SystemRandomNumberGenerator()
        var table = FileTable()
        for name in ["same", "changed", "gone"] { table[ExactString(name)] = Self.state(&random) }
        table[ExactString("gone before")] = Self.state(&random)
        table[ExactString("gone before")] = nil
        func entry(_ name: String, _ stamp: FileStamp?) -> DirectoryEntry {
            var stamp = stamp ?? .unknown
            if name == "changed" { stamp.changed += 1 }
            return DirectoryEntry(name: name, kind: .file, stamp: stamp)
        }
        let entries = ["same", "changed", "new"].map { entry($0, table.stamp(of: ExactString($0))) }
        #expect(table.differences(from: entries).map(\.text).sorted() == ["changed", "gone", "new"])
        #expect(table.missing(from: entries).map(\.text) == ["gone"])
    }
}
