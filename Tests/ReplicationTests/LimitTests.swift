import JSON
import Replication
import Testing

@Suite("Limits of records")
struct LimitTests {
    /// A record whose text is made by hand, with one version of each of some fields.
    private func record(
        uid: Int = 1,
        replicas: Int = 1,
        fields: Int = 1,
        versions: Int = 1,
        keyBytes: Int = 4,
        phoneKeyBytes: Int = 1,
        valueBytes: Int = 1
    ) throws -> Record {
        var out = JSONObject()
        for n in 0..<fields {
            let digits = String(n)
            let key = digits + String(repeating: "k", count: max(0, keyBytes - digits.utf8.count))
            out[key] = .array(
                (0..<versions).map {
                    [
                        0, .number($0 + 1), 5, 0, .string(String(repeating: "v", count: valueBytes)), .null,
                        .string(String(repeating: "p", count: phoneKeyBytes)),
                    ]
                }
            )
        }
        return try RecordCoding.decode([
            "uid": .string(String(repeating: "u", count: uid)),
            "seen": .array(
                (0..<replicas).map { n in
                    [.string(ReplicaID(UInt64(n + 1)).hex), .number(versions)]
                }
            ),
            "sessions": ["s"], "fields": .object(out),
        ])
    }

    @Test("a record is sound below and at each limit, and not above")
    func edges() throws {
        let limits: [(Int, (Int) throws -> Record)] = [
            (RecordLimits.uidBytes, { try record(uid: $0) }),
            (RecordLimits.replicas, { try record(replicas: $0) }),
            (RecordLimits.fields, { try record(fields: $0) }),
            (RecordLimits.versionsOfField, { try record(versions: $0) }),
            (RecordLimits.keyBytes, { try record(keyBytes: $0) }),
            (RecordLimits.phoneKeyBytes, { try record(phoneKeyBytes: $0) }),
            (RecordLimits.bytes - 2, { try record(valueBytes: $0) }),
        ]
        for (limit, make) in limits {
            for size in [limit - 1, limit] { #expect(RecordLimits.flaw(in: try make(size)) == nil) }
            #expect(RecordLimits.flaw(in: try make(limit + 1)) != nil)
        }
        let edge = RecordLimits.versions / RecordLimits.versionsOfField
        #expect(
            RecordLimits.flaw(in: try record(fields: edge, versions: RecordLimits.versionsOfField)) == nil
        )
        #expect(
            RecordLimits.flaw(in: try record(fields: edge + 1, versions: RecordLimits.versionsOfField)) != nil
        )
    }

    @Test("counters end below 2^53, in vectors, dots and creations")
    func counters() throws {
        func record(_ seen: UInt64, _ dot: UInt64, _ creation: UInt64) throws -> Record {
            try RecordCoding.decode([
                "uid": "u", "seen": [["0000000000000001", .number(seen)]], "sessions": ["s"],
                "fields": ["phones/p1": [[0, .number(dot), 5, 0, "v", [0, .number(creation)]]]],
            ])
        }
        let last = RecordLimits.counter - 1
        #expect(last == 9_007_199_254_740_991)
        _ = try record(last - 1, last - 1, last - 1)
        _ = try record(last, last, last)
        #expect(throws: RecordError.self) { try record(last + 1, 1, 1) }
        #expect(throws: RecordError.self) { try record(last, last + 1, 1) }
        #expect(throws: RecordError.self) { try record(last, 1, last + 1) }
        #expect(throws: RecordError.self) { try record(.max, 1, 1) }
    }

    @Test("a session ID has at most its bytes")
    func sessions() throws {
        func record(_ bytes: Int) throws -> Record {
            try RecordCoding.decode([
                "uid": "u", "seen": [], "sessions": [.string(String(repeating: "s", count: bytes))],
                "fields": [:],
            ])
        }
        for bytes in [RecordLimits.sessionBytes - 1, RecordLimits.sessionBytes] { _ = try record(bytes) }
        #expect(throws: RecordError.self) { try record(RecordLimits.sessionBytes + 1) }
    }

    @Test("dots out of order are no record, as sorting them is the writer's work")
    func order() {
        #expect(throws: RecordError.self) {
            try RecordCoding.decode([
                "uid": "u", "seen": [["0000000000000001", 2]], "sessions": ["s"],
                "fields": ["name": [[0, 2, 5, 0, "v"], [0, 1, 5, 0, "w"]]],
            ])
        }
    }

    @Test("where a record is at a limit, what is under its text's limit cannot be above another")
    func soundText() throws {
        let version = "[0,1,0,0],"
        #expect(RecordLimits.soundTextBytes / version.utf8.count <= RecordLimits.versionsOfField)
        #expect(RecordLimits.soundTextBytes <= RecordLimits.keyBytes)
    }
}
