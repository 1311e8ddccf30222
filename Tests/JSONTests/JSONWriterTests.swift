import JSON
import Testing

/// Values as text.
@Suite("Writing JSON")
struct JSONWriterTests {
    @Test(
        "a text of any length comes back from what little room there was for it",
        arguments: ["a", "é", "\"", "\u{1}"]
    )
    func texts(of character: String) throws {
        for length in Array(0...70) + [255, 256, 257, 5000] {
            let value: JSONValue = [.string(String(repeating: character, count: length)), .string(character)]
            for layout in [JSONWriter.Layout.compact, .indented, .canonical] {
                #expect(try JSONReader.value(JSONWriter.bytes(value, layout)) == value)
            }
            var writer = JSONWriter(capacity: 0)
            writer.write(value)
            #expect(writer.bytes == JSONWriter.bytes(value))
        }
    }

    @Test("every byte of ASCII comes back, wherever in a text it is")
    func bytes() throws {
        for byte in UInt8(0)..<0x80 {
            for place in 0..<20 {
                let text = String(repeating: "x", count: place) + String(Unicode.Scalar(byte)) + "yz"
                #expect(try JSONReader.value(JSONWriter.bytes(.string(text))) == .string(text))
            }
        }
    }

    @Test("numbers are written in all their digits")
    func numbers() {
        for digits in 1...20 {
            let least = (1..<digits).reduce(UInt64(1)) { power, _ in power * 10 }
            for number in [least - 1, least, least + 1, .max] {
                var writer = JSONWriter(capacity: 0)
                for _ in 0..<9 { writer.write(number) }
                writer.write(hex: number)
                let text = String(repeating: String(number), count: 9) + "\"\(number.hex)\""
                #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
            }
        }
    }
}
