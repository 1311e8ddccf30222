import JSON
import Testing

@Suite struct JSONDocumentTests {
    private func read(_ text: String) throws(JSONFlaw) -> JSONDocument {
        try JSONDocument.read(Array(text.utf8))
    }

    private func flaw(_ bytes: [UInt8]) -> JSONFlaw? {
        do throws(JSONFlaw) {
            _ = try JSONDocument.read(bytes)
            return nil
        } catch { return error }
    }

    @Test("A file is one value or an array of items, each with its bytes and place")
    func items() throws {
        let text = "\u{FEFF}[\r\n  {\"name\": \"é\"}, null,\r\n\t\"x\" ,12 ]\r\n"
        let document = try read(text)
        #expect(document.isArray)
        #expect(document.items.map { "\($0.line):\($0.column)" } == ["2:3", "2:18", "3:2", "3:7"])
        let bytes = Array(text.utf8)
        #expect(
            document.items.map { String(decoding: bytes[$0.range], as: UTF8.self) }
                == ["{\"name\": \"é\"}", "null", "\"x\"", "12"]
        )
        let single = try read(" {\"a\":[1]} ")
        #expect(!single.isArray)
        #expect(single.items[0].range == 1..<10)
        #expect(try read("[]").items.isEmpty)
    }

    @Test("A duplicate name or half a surrogate pair costs its item only")
    func badItems() throws {
        let text = "[{\"a\":1,\n\"a\":2}, {\"b\":1},\n {\"c\":\"\\ud800\"}, [{\"d\":\"\\ud83d\\ude00\"}]]"
        let items = try read(text).items
        let reasons = items.map { item in
            if case .failure(let flaw) = item.value {
                "\(flaw.line):\(flaw.column) \(flaw.reason)"
            } else {
                ""
            }
        }
        #expect(
            reasons == [
                "2:1 the name \"a\" is given twice", "", "3:8 half a surrogate pair stands for no character",
                "",
            ]
        )
        #expect(try items[1].value.get() == ["b": 1])
        #expect(try items[3].value.get() == [["d": "😀"]])
        #expect(items.map { "\($0.line):\($0.column)" } == ["1:2", "2:9", "3:2", "3:18"])
    }

    @Test("Plain and quick reading give the same items")
    func sameItems() throws {
        let text = "[ {\"a\": [1, {}], \"b\": {}} , -1.5e3,true , \"q\" , [] ,{}]"
        let quick = try read(text).items
        let plain = try read(String(text.dropLast()) + ",{\"x\":1,\"x\":1}]").items
        #expect(quick.map(\.range) == plain.dropLast().map(\.range))
        #expect(try quick.map { try $0.value.get() } == plain.dropLast().map { try $0.value.get() })
    }

    @Test("What is wrong with the text costs the whole file")
    func badFiles() {
        #expect(flaw([])?.reason == "the file is empty")
        #expect(flaw(Array(" \r\n".utf8))?.reason == "the file is empty")
        #expect(flaw([0xEF, 0xBB, 0xBF])?.reason == "the file is empty")
        #expect(flaw([0xFF, 0xFE, 0x7B, 0x00])?.reason == "the file is UTF-16, not UTF-8")
        #expect(
            flaw(Array("// by hand\n{}".utf8))?.reason == "a value is expected, not / (JSON has no comments)"
        )
        #expect(flaw(Array("[{\"a\":1,\"a\":2},".utf8))?.line == 1)
        #expect(flaw([0xEF, 0xBB, 0xBF] + Array("{\"é\":1,}".utf8))?.column == 8)
        #expect(flaw(Array(repeating: UInt8(ascii: "["), count: 200_000))?.column == 65)
        #expect(flaw(Array("{\"name\": \"I\u{e9}\", \"phone\": \"+44 20 79".utf8))?.column == 25)
    }

    @Test("8 MiB are read, one byte more is not")
    func size() {
        var bytes =
            Array("\"".utf8) + Array(repeating: UInt8(ascii: "a"), count: (8 << 20) - 2) + Array("\"".utf8)
        #expect(flaw(bytes) == nil)
        bytes.append(UInt8(ascii: " "))
        #expect(flaw(bytes) == JSONFlaw(line: 1, column: 1, reason: "the file is larger than 8 MiB"))
    }

    @Test("A path leads to the place of a value, or as far as it goes")
    func places() {
        let text = Array("\u{FEFF}[{}, {\"é\": [1,\n  {\"b\\u0063\": 42}], \"d\": {}}]".utf8)
        let place = { (path: [JSONStep], item: Int) in
            let place = JSONDocument.place(of: path, item: item, in: text)
            return "\(place.line):\(place.column)"
        }
        #expect(place([], 0) == "1:2")
        #expect(place([], 1) == "1:6")
        #expect(place(["é"], 1) == "1:12")
        #expect(place(["é", 1, "bc"], 1) == "2:15")
        #expect(place(["é", 1, "missing"], 1) == "2:3")
        #expect(place(["d", "x"], 1) == "2:26")
        #expect(place(["é", 7], 1) == "1:12")
        #expect(place([], 9) == "1:1")
        let single = JSONDocument.place(of: ["a"], item: 0, in: Array("{\"a\":\n\n 1}".utf8))
        #expect(single == (3, 2))
    }
}
