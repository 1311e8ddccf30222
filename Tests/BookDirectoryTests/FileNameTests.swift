import BookDirectory
import JSON
import TestSupport
import Testing

@Suite struct FileNameTests {
    func make(_ shown: String?, uid: String = "u", taken: Set<String> = []) -> String {
        FileName.make(shown: shown, uid: uid, hash: .test) { taken.contains($0) }
    }

    @Test(
        "a name is kept as far as it is safe",
        arguments: [
            ("Ana Holm", "Ana Holm.json"), ("  Ana \t Holm. ", "Ana Holm.json"), ("AC/DC", "AC-DC.json"),
            ("../../etc", "_-..-etc.json"), ("--checkpoint=1", "_--checkpoint=1.json"),
            ("...", "contact.json"), ("", "contact.json"),
            (".hidden", "hidden.json"),
            ("a\u{0}b\nc", "a b c.json"), ("a\\b:c*?\"<>|", "a-b-c------.json"), ("con", "_con.json"),
            ("COM1.x", "_COM1.x.json"), ("Conny", "Conny.json"), ("\u{202E}abc", "abc.json"),
            ("👩‍👩‍👧 Ana 🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👩‍👩‍👧 Ana 🏴󠁧󠁢󠁥󠁮󠁧󠁿.json"), ("משה כהן", "משה כהן.json"), ("4913", "4913.json"),
            ("x.tmp", "x.tmp.json"), ("#x#", "#x#.json"), ("+49 30 123", "+49 30 123.json"),
        ]
    )
    func safe(shown: String, name: String) {
        #expect(make(shown).isExactly(name))
    }

    @Test("no name is contact")
    func nameless() { #expect(make(nil) == "contact.json") }

    @Test("a clash that only case tells apart gets a hash of the uid, never the uid")
    func clash() {
        let name = make("Ana Holm", uid: "../../escape", taken: [FileName.folded("ANA HOLM.json")])
        #expect(name.hasPrefix("Ana Holm ") && name.hasSuffix(".json"))
        #expect(name.utf8.count == "Ana Holm .json".utf8.count + 8)
        #expect(!name.contains("/"))
        #expect(make("Ana Holm", uid: "other", taken: ["ana holm.json"]) != name)
    }

    @Test("whatever is taken, a free name is found")
    func allTaken() {
        var taken: Set<String> = []
        for _ in 0..<20 {
            let name = make("Ana", taken: taken)
            #expect(taken.insert(FileName.folded(name)).inserted)
        }
    }

    @Test("any text makes a name of at most 255 bytes that we read ourselves")
    func anyText() {
        var random = SeededGenerator(seed: 7)
        let alphabet: [Unicode.Scalar] = [
            "a", " ", ".", "/", "#", "~", "\u{0}", "ä", "😀", "\u{301}", "\u{200D}", "\u{202E}", "漢", "\\",
        ]
        for _ in 0..<500 {
            var text = String.UnicodeScalarView()
            for _ in 0..<random.below(400) { text.append(alphabet[random.below(alphabet.count)]) }
            for taken in [false, true] {
                let plain = make(String(text))
                let name = taken ? make(String(text), taken: [FileName.folded(plain)]) : plain
                #expect(name.utf8.count <= 255)
                #expect(BookFolder.isCandidate(name), "\(name)")
                #expect(!name.contains("/") && !name.contains("\0"))
            }
        }
        let marks = "e" + String(repeating: "\u{301}", count: 400)
        #expect(make(marks).utf8.count <= 255)
        #expect(BookFolder.isCandidate(make(marks)))
    }
}
