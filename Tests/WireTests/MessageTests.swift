import JSON
import Replication
import Testing
import Wire

@Suite("Messages")
struct MessageTests {
    private static let hash = ContentHash(high: 1, low: .max)
    private static let position = FeedPosition(seq: 7, mark: .max)
    /// Made at each use: behind the tags of nested enums the leak sanitizer does not see what a global holds.
    static var all: [Message] {
        [
            .hello(Hello(versions: [1, 2], device: "laptop", start: ReplicaID(.max), books: ["a", "b"])),
            .follow(book: "a", after: nil), .follow(book: "a", after: position),
            .batch(Batch(book: "a", from: 3, to: position, records: [.value(["uid": "x"])], remaining: 9)),
            .current(book: "a", at: 0), .ack(book: "a", seq: UInt64(Int64.max)),
            .digest(book: "a", total: hash), .equal(book: "a", total: hash),
            .buckets(
                BucketSums(
                    book: "a",
                    purpose: .verify,
                    sums: (0..<Digest.bucketCount).map { ContentHash(high: UInt64($0), low: 1) }
                )
            ),
            .list(
                BucketList(
                    book: "a",
                    purpose: .heal,
                    isAnswer: true,
                    buckets: [0, 4095],
                    entries: [DigestEntry(uid: UID("ü"), hash: hash)]
                )
            ),
            .heal(Heal(book: "a", isAnswer: false, records: [.value(["uid": "x"])], isLast: true)),
            .refused(book: "a", uids: [UID("x"), UID("")], isReadOnly: true), .bye(reason: "stop"),
        ]
    }

    @Test("every message is read as it was written", arguments: all)
    func roundTrip(message: Message) throws {
        #expect(try Message.decode(Frame(kind: message.kind, payload: message.payload)) == message)
    }

    /// A record whose text holds what has to be escaped, and that stands in a message in both forms.
    private static func record(_ n: Int) -> Record {
        var record = Record(uid: UID("u\(n)"))
        let version = Version(
            time: HybridTime(bits: 7),
            session: "s",
            value: ["full": .string("Zoë \"\(n)\"\n\u{1}\u{1F4AA}"), "list": [.number("1.50"), .null, true]]
        )
        record.put(FieldKey(member: "name"), version, dot: Dot(replica: ReplicaID(1), counter: 1), over: nil)
        return record
    }

    @Test("a record sent as its text is read as if it had been sent as a value", arguments: [0, 1, 2, 50])
    func texts(count: Int) throws {
        let records = (0..<count).map { Self.record($0) }
        let values = records.map { RecordForm.value(RecordCoding.encode($0)) }
        let texts = records.map { RecordForm.text(RecordCoding.bytes($0)) }
        // Also one beside the other.
        let mixed = values.indices.map { $0.isMultiple(of: 2) ? values[$0] : texts[$0] }
        for forms in [texts, mixed] {
            #expect(try forms.map { try $0.decoded() } == records)
            let pairs: [(Message, Message)] = [
                (
                    .batch(Batch(book: "a\"", from: 3, to: Self.position, records: forms, remaining: 9)),
                    .batch(Batch(book: "a\"", from: 3, to: Self.position, records: values, remaining: 9))
                ),
                (
                    .heal(Heal(book: "a", isAnswer: true, records: forms, isLast: false)),
                    .heal(Heal(book: "a", isAnswer: true, records: values, isLast: false))
                ),
            ]
            for (sent, read) in pairs {
                var decoder = FrameDecoder(compression: .runs)
                decoder.loggedIn()
                decoder.feed(try FrameEncoder(compression: .runs).encode(sent))
                let frame = try #require(try decoder.next())
                #expect(try Message.decode(frame) == read)
            }
        }
    }

    @Test("a text that is no JSON, too deep, or no record is none")
    func noRecord() {
        let deep =
            String(repeating: "[", count: RecordLimits.depth + 1)
            + String(repeating: "]", count: RecordLimits.depth + 1)
        for text in ["", "{", "{} {}", "[]", "{\"uid\":\"x\"}", deep] {
            #expect(throws: RecordError.self) { try RecordForm.text(Array(text.utf8)).decoded() }
        }
    }

    @Test("every kind is among the messages above")
    func complete() {
        // What is said while pairing is `PairingMessage`.
        #expect(Set(Self.all.map(\.kind)).union([.pairing]) == Set(FrameKind.allCases))
    }

    @Test("members that are not known are read over")
    func unknownMembers() throws {
        for message in Self.all {
            var object = try #require(try JSONReader.value(message.payload).object)
            object["later"] = [1, 2]
            #expect(try Message.decode(message.kind, .object(object)) == message)
        }
    }

    @Test("a member that is missing or of another type is refused", arguments: all)
    func broken(message: Message) throws {
        let object = try #require(try JSONReader.value(message.payload).object)
        for key in object.keys {
            for wrong in [nil, ["x": 1], .number("1.5"), .number("-1")] as [JSONValue?] {
                var broken = object
                broken[key] = wrong
                #expect(throws: WireError.self, "\(key)") {
                    try Message.decode(message.kind, .object(broken))
                }
            }
        }
        #expect(throws: WireError.self) { try Message.decode(message.kind, []) }
    }

    @Test("lists and texts are taken up to their limits, not beyond")
    func limits() throws {
        func hello(books: Int = 1, name: Int = 1, versions: Int = 1) throws(WireError) {
            let hello = Hello(
                versions: .init(repeating: 1, count: versions),
                device: String(repeating: "x", count: name),
                start: ReplicaID(1),
                books: .init(repeating: String(repeating: "y", count: name), count: books)
            )
            _ = try Message.decode(Frame(kind: .hello, payload: Message.hello(hello).payload))
        }
        try hello(books: WireLimits.books, name: WireLimits.nameBytes, versions: WireLimits.versions)
        #expect(throws: WireError.tooMany(.hello, limit: WireLimits.books)) {
            try hello(books: WireLimits.books + 1)
        }
        #expect(throws: WireError.tooMany(.hello, limit: WireLimits.versions)) {
            try hello(versions: WireLimits.versions + 1)
        }
        #expect(throws: WireError.self) { try hello(name: WireLimits.nameBytes + 1) }

        func heal(_ count: Int) throws(WireError) {
            let heal = Heal(
                book: "a",
                isAnswer: true,
                records: .init(repeating: .value(.null), count: count),
                isLast: true
            )
            _ = try Message.decode(Frame(kind: .heal, payload: Message.heal(heal).payload))
        }
        try heal(WireLimits.recordsTaken)
        #expect(throws: WireError.tooMany(.heal, limit: WireLimits.recordsTaken)) {
            try heal(WireLimits.recordsTaken + 1)
        }
    }

    @Test(
        "lists have at most so many buckets and entries, and so many uids are refused",
        arguments: [-1, 0, 1]
    )
    func lists(beyond: Int) throws {
        func list(buckets: Int, entries: Int) throws(WireError) {
            let entry = DigestEntry(uid: UID("u"), hash: ContentHash(high: 0, low: 0))
            let list = BucketList(
                book: "a",
                purpose: .heal,
                isAnswer: false,
                buckets: Array(0..<buckets),
                entries: .init(repeating: entry, count: entries)
            )
            _ = try Message.decode(Frame(kind: .list, payload: Message.list(list).payload))
        }
        func refused(_ count: Int) throws(WireError) {
            let uids = (0..<count).map { UID("\($0)") }
            let message = Message.refused(book: "a", uids: uids, isReadOnly: false)
            _ = try Message.decode(Frame(kind: .refused, payload: message.payload))
        }
        func check(_ kind: FrameKind, _ limit: Int, _ decode: (Int) throws(WireError) -> Void) throws {
            guard beyond > 0 else { return try decode(limit + beyond) }
            #expect(throws: WireError.tooMany(kind, limit: limit)) { try decode(limit + beyond) }
        }
        try check(.list, WireLimits.listBuckets) { count throws(WireError) in
            try list(buckets: count, entries: 0)
        }
        try check(.list, WireLimits.listEntries) { count throws(WireError) in
            try list(buckets: 1, entries: count)
        }
        try check(.refused, WireLimits.refusedUIDs) { count throws(WireError) in try refused(count) }
    }

    @Test("the largest hello fits a frame before login")
    func largestHello() throws {
        let name =
            String(repeating: "\u{1}", count: 1) + String(repeating: "x", count: WireLimits.nameBytes - 1)
        let hello = Hello(
            device: name,
            start: ReplicaID(1),
            books: .init(repeating: name, count: WireLimits.books)
        )
        #expect(throws: Never.self) { try FrameEncoder(compression: nil).encode(.hello(hello)) }
    }

    @Test("hashes and marks are lower-case digits, buckets sorted and within the digest")
    func strictness() throws {
        let texts = ["", "+" + String(repeating: "0", count: 31), String(repeating: "A", count: 32)]
        for text in texts {
            #expect(throws: WireError.self) {
                try Message.decode(.digest, ["book": "a", "total": .string(text)])
            }
        }
        for buckets in [[1, 1], [2, 1], [-1], [.number(Digest.bucketCount)]] as [JSONValue] {
            let list: JSONValue = [
                "book": "a", "purpose": "heal", "answer": true, "buckets": buckets, "entries": [],
            ]
            #expect(throws: WireError.self) { try Message.decode(.list, list) }
        }
    }
}
