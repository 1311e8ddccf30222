import AddressBook
import Contacts
import JSON
import Testing

/// Files read as contacts, and rewritten with all else carried through.
@Suite("Texts of files")
struct FileTextTests {
    private func replace(_ text: String, _ texts: [Int: String?]) throws -> String {
        let bytes = Array(text.utf8)
        let parsed = try ParsedFile(bytes)
        let new = FileText.replacing(bytes, parsed, texts.mapValues { $0.map { Array($0.utf8) } })
        return String(decoding: new, as: UTF8.self)
    }

    @Test("bad items cost only themselves, and say where and why")
    func flaws() throws {
        let text = """
            [
              {"name": "Ana"},
              {"name": 5},
              "no contact",
              {"name": "Bob", "name": "Bob"},
              {"name": "Zoe", "uid": ""}
            ]
            """
        let parsed = try ParsedFile(Array(text.utf8))
        #expect(parsed.isArray)
        #expect(parsed.items.map(\.place) == [0, 4])
        #expect(parsed.items.map(\.uid) == [nil, nil])
        #expect(parsed.flaws.map(\.item) == [1, 2, 3])
        #expect(parsed.flaws.map(\.line) == [3, 4, 5])
        #expect(parsed.flaws.allSatisfy { !$0.reason.isEmpty && $0.column != nil })
        #expect(parsed.ranges.count == 5)
    }

    @Test("a bad single item is a flaw of the file and has no number")
    func badSingle() throws {
        let parsed = try ParsedFile(Array(#"{"name": 5}"#.utf8))
        #expect(!parsed.isArray && parsed.items.isEmpty)
        #expect(parsed.flaws.map(\.item) == [nil])
    }

    @Test("in an array one item is replaced, one taken out, and all others keep their bytes, bad ones too")
    func array() throws {
        let text = #"[{"name":"Ana"}, {"name":  5}, {"name":"Bob"},{"name" : "Zoe"}]"#
        let new = try replace(text, [0: "{\n  \"name\": \"Anna\"\n}", 2: nil])
        #expect(new == "[\n  {\n    \"name\": \"Anna\"\n  },\n  {\"name\":  5},\n  {\"name\" : \"Zoe\"}\n]\n")
        let again = try ParsedFile(Array(new.utf8))
        #expect(again.isArray && again.items.count == 2 && again.flaws.count == 1)
    }

    @Test("the first item of an array taken out leaves no comma behind, and the last leaves an array")
    func emptied() throws {
        let one = try replace(#"[{"name":"Ana"},{"name":"Bob"}]"#, [0: nil])
        #expect(one == "[\n  {\"name\":\"Bob\"}\n]\n")
        let none = try replace(#"[{"name":"Ana"}]"#, [0: nil])
        #expect(try ParsedFile(Array(none.utf8)).isArray)
        #expect(try ParsedFile(Array(none.utf8)).items.isEmpty)
    }

    @Test("a single card stays a single card, with a byte order mark and CRLF around it")
    func single() throws {
        let text = "\u{FEFF}\r\n{\"name\": \"Ana\"}\r\n"
        #expect(try !ParsedFile(Array(text.utf8)).isArray)
        #expect(try replace(text, [0: #"{"name": "Bob"}"#]) == "{\"name\": \"Bob\"}\n")
        #expect(try replace(text, [:]) == "{\"name\": \"Ana\"}\n")
    }

    @Test("a line break written inside a text is no line of the file")
    func lineBreaks() throws {
        let text = #"[{"name":"Ana","x":"a\nb"},{"name":"Bob"}]"#
        let new = try replace(text, [1: #"{"name":"Bob","x":"c\nd"}"#])
        let parsed = try ParsedFile(Array(new.utf8))
        #expect(parsed.items.map { $0.contact.card["x"] } == ["a\nb", "c\nd"])
    }

    @Test("a file that is no JSON costs the whole file")
    func noFile() {
        for text in ["", "[", "{\"name\": \"Ana\"", "nonsense", "[{}] x"] {
            #expect(throws: JSONFlaw.self) { try ParsedFile(Array(text.utf8)) }
        }
    }
}
