import JSON
import Replication
import TestSupport
import Testing

@Suite("Records as JSON")
struct CodingTests {
    @Test("what is written is read, and equal records have equal texts", arguments: UInt64(1)...100)
    func roundTrip(seed: UInt64) throws {
        var maker = RecordMaker(seed: seed)
        maker.run(steps: 50)
        for record in maker.states {
            let value = RecordCoding.encode(record)
            let back = try RecordCoding.decode(value)
            #expect(back == record)
            #expect(JSONWriter.text(RecordCoding.encode(back)) == JSONWriter.text(value))
        }
    }

    private func record(
        seen: JSONValue = [["0000000000000001", 2]],
        sessions: JSONValue = ["s"],
        version: JSONValue = [0, 1, 5, 0, "v"]
    ) -> JSONValue {
        ["uid": "u", "seen": seen, "sessions": sessions, "fields": ["name": [version]]]
    }

    @Test("a sound record is read")
    func sound() throws {
        let read = try RecordCoding.decode(record())
        #expect(read.values(FieldKey(member: "name")).values.map(\.value) == ["v"])
    }

    @Test("a broken record is refused")
    func broken() {
        let flaws: [JSONValue] = [
            .null, [:], record(seen: [["1", 2]]), record(seen: [["0000000000000001", -1]]),
            record(seen: [["0000000000000001", 1], ["0000000000000001", 1]]),
            record(seen: [["0000000000000001", .number("9007199254740992")]]),
            record(sessions: [1]), record(sessions: []), record(sessions: ["é"]),
            record(sessions: [.string(String(repeating: "x", count: 65))]),
            record(version: [0, 3, 5, 0, "v"]), record(version: [1, 1, 5, 0, "v"]),
            record(version: [0, 0, 5, 0, "v"]), record(version: [0, 1, -5, 0, "v"]),
            record(version: [0, 1, 5, 1, "v"]), record(version: [0, 1, 5]),
            record(version: [0, 1, 5, 0, "v", [0], "k"]), record(version: [0, 1, 5, 0, "v", .null, 1]),
            record(version: [0, 1, 5, 0, "v", .null, "k", 1]), record(version: "x"),
            ["uid": "u", "seen": [], "sessions": [], "fields": ["name": []]],
            [
                "uid": "u", "seen": [["0000000000000001", 2]], "sessions": ["s"],
                "fields": ["name": [[0, 1, 5, 0, "v"], [0, 1, 5, 0, "w"]]],
            ],
        ]
        for flaw in flaws {
            #expect(throws: RecordError.self, "\(JSONWriter.text(flaw))") { try RecordCoding.decode(flaw) }
        }
    }
}
