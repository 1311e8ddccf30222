import AddressBook
import JSON
import Replication
import TestSupport
import Testing

/// Bases and file states as the store keeps them.
@Suite("Stored bases and files")
struct BaseCodingTests {
    private func isSame(_ a: Base, _ b: Base) -> Bool {
        a.time == b.time && a.uids == b.uids && a.items == b.items && a.alive == b.alive
    }

    @Test("a base comes back as it was, whatever history made it", arguments: 0..<UInt64(30))
    func bases(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let machines = [HistoryMachine(1), HistoryMachine(2)]
        for step in 0..<8 {
            let machine = machines[random.below(2)]
            machine.add(
                "f\(random.below(4))",
                ["Ana", "Ana Holm", "Zoe", ""][random.below(4)],
                (0..<random.below(3)).map { _ in "+\(random.below(3))" },
                note: "n\(step)"
            )
            if random.chance(0.3) { machines[0].give(to: machines[1]) }
        }
        #expect(settle(machines) == nil)
        for person in machines[0].persons() {
            let base = machines[0].open(person).base
            let again = try #require(Base.decode(base.encode()))
            #expect(isSame(again, base))
        }
    }

    @Test("a base with odd keys and foreign Ids comes back as it was")
    func oddBase() throws {
        let dot = Dot(replica: ReplicaID(UInt64.max), counter: UInt64.max)
        let other = Dot(replica: ReplicaID(0), counter: 1)
        let (a, b) = (UID("a/b"), UID("e\u{301}"))
        let base = Base(
            time: UInt64.max >> 16,
            uids: [a, b],
            items: [
                FieldKey(member: "@alive"): Base.Item(
                    hash: HashFunction.test.hash("x"),
                    sources: [Source(uid: a, key: FieldKey(member: "@alive"), dot: dot)]
                ),
                FieldKey(member: "nicknames", entry: "n/1"): Base.Item(
                    hash: HashFunction.test.hash("y"),
                    phoneKeys: ["+1;ext=2"],
                    isLostName: true,
                    sources: [
                        Source(uid: b, key: .name, dot: other),
                        Source(
                            uid: a,
                            key: FieldKey(member: "nicknames", entry: "q"),
                            dot: dot,
                            creation: other
                        ),
                        Source(
                            uid: a,
                            key: FieldKey(member: "nicknames", entry: "q"),
                            dot: dot,
                            creation: dot
                        ),
                        Source(
                            uid: a,
                            key: FieldKey(member: "nicknames", entry: "n/1"),
                            dot: dot,
                            creation: dot
                        ),
                        Source(
                            uid: a,
                            key: FieldKey(member: "nicknames", entry: "n/1"),
                            dot: dot,
                            creation: other
                        ),
                    ]
                ),
            ],
            alive: [a: [dot, other], b: []]
        )
        let bytes = base.encode()
        #expect(isSame(try #require(Base.decode(bytes)), base))
        // A damaged row is no base, or another, and traps nowhere.
        for length in bytes.indices { #expect(Base.decode(Array(bytes[..<length])) == nil) }
        #expect(Base.decode(bytes + [0]) == nil)
        for at in bytes.indices {
            for change: UInt8 in [0x01, 0x02, 0x80, 0xFF] {
                var damaged = bytes
                damaged[at] ^= change
                _ = Base.decode(damaged).map { $0.encode() }
            }
        }
    }

    private static let stamp = FileStamp(
        device: .max,
        inode: 7,
        size: 12,
        modified: -5,
        changed: .max,
        mode: 0o100600
    )

    private static func state(_ stamp: FileStamp) -> FileState {
        FileState(
            stamp: stamp,
            bytes: HashFunction.test.hash("bytes"),
            isArray: true,
            items: [
                HeldItem(
                    uid: UID("e\u{301}"),
                    uids: [UID("e\u{301}"), UID("")],
                    content: HashFunction.test.hash("a"),
                    isPlain: true,
                    written: nil
                ),
                HeldItem(
                    uid: UID("b"),
                    uids: [UID("b")],
                    content: HashFunction.test.hash("b"),
                    isPlain: false,
                    written: "b",
                    role: .apart
                ),
            ],
            flaws: [Flaw(item: 2, line: 3, column: 4, reason: "odd \"reason\""), Flaw(reason: "")],
            aside: Flaw(line: 1, column: nil, reason: "not UTF-8")
        )
    }

    @Test("a file's record comes back as it was, with every intention")
    func files() throws {
        let known = Self.state(Self.stamp)
        for record in [
            FileRecord(known: known), FileRecord(known: nil),
            FileRecord(known: known, intention: .remove),
            FileRecord(known: nil, intention: .write(Self.state(.unknown))),
            FileRecord(known: known, intention: .write(Self.state(.unknown))),
        ] {
            let bytes = record.encode()
            #expect(FileRecord.decode(bytes, stamp: Self.stamp) == record)
            for length in bytes.indices {
                #expect(FileRecord.decode(Array(bytes[..<length]), stamp: Self.stamp) == nil)
            }
        }
    }

    @Test("a stamp comes back from its numbers, and nothing else does")
    func stamps() {
        #expect(FileStamp(numbers: Self.stamp.numbers) == Self.stamp)
        #expect(FileStamp(numbers: FileStamp.unknown.numbers) == .unknown)
        #expect(FileStamp(numbers: []) == nil)
        #expect(FileStamp(numbers: [1, 2, 3, 4, 5, -1]) == nil)
    }
}
