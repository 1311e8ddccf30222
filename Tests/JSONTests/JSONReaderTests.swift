import JSON
import TestSupport
import Testing

@Suite struct JSONReaderTests {
    private func read(_ text: String) throws(JSONFlaw) -> JSONValue { try JSONReader.value(Array(text.utf8)) }

    private func flaw(_ text: String) -> JSONFlaw? {
        do throws(JSONFlaw) {
            _ = try read(text)
            return nil
        } catch { return error }
    }

    @Test("Values keep their digits, order and text")
    func values() throws {
        #expect(try read(" 1 ") == 1)
        #expect(
            JSONWriter.text(try read("[1.0,1e5,-0,12345678901234567890123, 1E+2 ]"))
                == "[1.0,1e5,-0,12345678901234567890123,1E+2]"
        )
        #expect(
            JSONWriter.text(try read(#"{"b":1,"a":{"":[]},"c":[true,false,null,{}]}"#))
                == #"{"b":1,"a":{"":[]},"c":[true,false,null,{}]}"#
        )
        #expect(try read(#""\u00e9\n\"\\\/\ud83d\ude00\uD83D\uDE00""#).string == "é\n\"\\/😀😀")
        #expect(try read("\"👩‍👩‍👧 é\"").string?.unicodeScalars.count == 7)
        #expect(try read(#"{"a\u0062":1}"#) == ["ab": 1])
    }

    @Test(
        "What I-JSON forbids is refused at its place",
        arguments: [
            ("", 1, 1), ("{", 1, 2), (#"{"a":1,}"#, 1, 8), ("[1,]", 1, 4), ("[1 2]", 1, 4), ("1 2", 1, 3),
            ("// x\n{}", 1, 1), ("{\n  'a': 1}", 2, 3), ("{\r\n\"a\":1,\r\n\"a\":2}", 3, 1),
            ("[\"\\ud800\"]", 1, 3),
            ("[\"é\\udc00\"]", 1, 4), ("[\"\\ud800\\u0041\"]", 1, 3), ("[\"\\ud800\\ud800\\udc00\"]", 1, 3),
            ("[01]", 1, 2), ("[1.]", 1, 2), ("[+1]", 1, 2), ("[.5]", 1, 2), ("[1e]", 1, 2), ("[-]", 1, 2),
            ("[NaN]", 1, 2), ("[nul]", 1, 2), ("[tru", 1, 2), ("[truex]", 1, 2), ("[\"a\tb\"]", 1, 4),
            ("[\"\\x\"]", 1, 3),
            ("[\"\\u12g4\"]", 1, 3), ("[\"abc", 1, 2), ("{\"a\" 1}", 1, 6), ("{1:2}", 1, 2),
            ("\u{FEFF}{}", 1, 1),
            ("{}\u{0}", 1, 3), ("[\"a\nb\"]", 1, 4), ("[]]", 1, 3),
            ("{\"a\":{\"b\":1,\"\\u0062\":2}}", 1, 13),
        ]
    )
    func refused(text: String, line: Int, column: Int) {
        let flaw = flaw(text)
        #expect(flaw?.line == line, "\(text): \(String(describing: flaw))")
        #expect(flaw?.column == column, "\(text): \(String(describing: flaw))")
        #expect(flaw?.reason.isEmpty == false)
    }

    @Test(
        "Bytes that are not UTF-8 are refused",
        arguments: [
            [0x80], [0xC0, 0xAF], [0xC3], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
            [0xFF],
        ] as [[UInt8]]
    )
    func notUTF8(wrong: [UInt8]) throws {
        #expect(
            throws: JSONFlaw(
                line: 1,
                column: 3,
                reason: "the byte 0x\(String(wrong[0], radix: 16, uppercase: true)) is no UTF-8"
            )
        ) {
            try JSONReader.value([0x5B, 0x22] + wrong + [0x22, 0x5D])
        }
    }

    @Test("64 levels are read, 65 are not, and depth never overflows the stack")
    func depth() throws {
        let nested = { (n: Int) in String(repeating: "[", count: n) + String(repeating: "]", count: n) }
        _ = try read(nested(64))
        #expect(flaw(nested(65)) == JSONFlaw(line: 1, column: 65, reason: "nesting is deeper than 64 levels"))
        #expect(flaw(nested(200_000))?.column == 65)
        #expect(
            flaw(String(repeating: "{\"a\":", count: 200_000))?.reason == "nesting is deeper than 64 levels"
        )
        _ = try JSONReader.value(Array(nested(65).utf8), maxDepth: 65)
    }

    @Test("A name given twice is found in small and in large objects")
    func duplicates() throws {
        for count in [2, 12, 13, 14, 100, 5000] {
            var members = (0..<count).map { "\"k\($0)\":\($0)" }
            let text = "{\(members.joined(separator: ","))}"
            let object = try #require(try read(text).object)
            #expect(object["k\(count - 1)"] == JSONValue.number(count - 1))
            #expect(object.keys == (0..<count).map { "k\($0)" })
            members.append("\"k0\":0")
            #expect(flaw("{\(members.joined(separator: ","))}")?.reason == "the name \"k0\" is given twice")
        }
        // Names are compared by code point.
        #expect(try read("{\"é\":1,\"e\u{301}\":2}").object?.count == 2)
    }

    @Test("Whatever is written is read back, in every layout")
    func roundTrip() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<500 {
            let value = anyValue(&random, depth: 0)
            #expect(try read(JSONWriter.text(value)) == value)
            #expect(try read(JSONWriter.text(value, .indented)) == value)
            // The second reader says the same: a lone surrogate's escape elsewhere sends the text to it.
            #expect(try read("[\(JSONWriter.text(value)),\"\\ud83d\\ude00\"]") == [value, "😀"])
        }
    }

    @Test("Cut or changed texts never crash, and both readers agree")
    func damaged() throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<2000 {
            var bytes = JSONWriter.bytes(
                anyValue(&random, depth: 0),
                random.chance(0.5) ? .compact : .indented
            )
            if random.chance(0.3) { bytes.removeLast(random.below(bytes.count)) }
            for _ in 0..<random.below(3) where !bytes.isEmpty {
                bytes[random.below(bytes.count)] = UInt8(random.below(256))
            }
            let quick = try? JSONReader.value(bytes)
            let plain = try? JSONReader.value(Array("[\"\\ud83d\\ude00\",".utf8) + bytes + Array("]".utf8))
            if let plain = plain?.array, plain.count == 2 {
                #expect(quick == plain[1])
            } else {
                #expect(quick == nil)
            }
        }
    }

    private func anyValue(_ random: inout SeededGenerator, depth: Int) -> JSONValue {
        let texts = [
            "", "a", "é", "e\u{301}", "😀", "\u{0}\u{1F}", "\"\\/", "line\nend", "\u{2028}", "name", "phones",
        ]
        switch random.below(depth > 3 ? 5 : 7) {
        case 0: return .null
        case 1: return .bool(random.chance(0.5))
        case 2: return .number(["0", "-1", "1.50", "1e400", "123456789012345678901"][random.below(5)])
        case 3, 4: return .string(texts[random.below(texts.count)])
        case 5: return .array((0..<random.below(5)).map { _ in anyValue(&random, depth: depth + 1) })
        default:
            var object = JSONObject()
            for _ in 0..<random.below(20) {
                object[texts[random.below(texts.count)] + String(random.below(9))] = anyValue(
                    &random,
                    depth: depth + 1
                )
            }
            return .object(object)
        }
    }
}
