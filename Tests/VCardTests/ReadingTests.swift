import TestSupport
import Testing

@testable import VCard

@Suite("Reading vCards")
struct ReadingTests {
    @Test("Lines are unfolded before anything else, also inside a character, whatever ends them")
    func folding() throws {
        var bytes = Array("BEGIN:VCARD\nVERSION:3.0\r\nFN:J".utf8)
        bytes += [0xC3] + Array("\r\n ".utf8) + [0xBC]
        bytes += Array("rgen\r\n\t Holm\rEND:VCARD".utf8)
        let items = VCardFile(bytes).items
        #expect(try items.map { try $0.get().lines.map(\.value) } == [["Jürgen Holm"]])
    }

    @Test("A broken card costs only itself and is named with its line")
    func broken() throws {
        let text = """
            BEGIN:VCARD
            VERSION:3.0
            FN:One
            END:VCARD
            stray
            BEGIN:VCARD
            VERSION:3.0
            FN Two
            END:VCARD
            BEGIN:VCARD
            FN:Three
            BEGIN:VCARD
            FN:Four
            END:VCARD
            BEGIN:VCARD
            FN:Five
            """
        let items = VCardFile(Array(text.utf8)).items
        let said = items.map { item -> String in
            switch item {
            case .success(let vcard): vcard.lines[0].value
            case .failure(let error): "\(error.line) \(error.reason)"
            }
        }
        #expect(
            said == [
                "One", "5 this is outside of any BEGIN:VCARD", "8 there is no colon in this line",
                "10 the card that begins here has no END:VCARD", "Four",
                "15 the card that begins here has no END:VCARD",
            ]
        )
    }

    @Test(
        "Bytes that are no UTF-8 are read by the character set that the line names, and refused without one"
    )
    func charsets() throws {
        func read(_ head: String, _ value: [UInt8]) -> Result<String, VCardError> {
            let bytes = Array("BEGIN:VCARD\nVERSION:2.1\n\(head):".utf8) + value + Array("\nEND:VCARD\n".utf8)
            return VCardFile(bytes).items[0].map { $0.lines[0].value }
        }
        #expect(try read("FN;CHARSET=ISO-8859-1", [0x4A, 0xFC, 0x72]).get() == "Jür")
        #expect(try read("FN;CHARSET=windows-1252", [0x80]).get() == "€")
        #expect(try read("FN;CHARSET=ISO-8859-15", [0xA4]).get() == "€")
        #expect(throws: VCardError.self) { try read("FN", [0x4A, 0xFC, 0x72]).get() }
        #expect(throws: VCardError.self) { try read("FN;CHARSET=KOI8-R", [0xC1]).get() }
    }

    @Test("UTF-16 is read, with its mark and without", arguments: [true, false])
    func utf16(hasMark: Bool) throws {
        let text = (hasMark ? "\u{FEFF}" : "") + "BEGIN:VCARD\r\nFN:Jürgen\r\nEND:VCARD\r\n"
        for isBig in [true, false] {
            let bytes = text.utf16.flatMap { unit in
                isBig ? [UInt8(unit >> 8), UInt8(unit & 0xFF)] : [UInt8(unit & 0xFF), UInt8(unit >> 8)]
            }
            #expect(VCardFile.isVCard(bytes))
            #expect(try VCardFile(bytes).items[0].get().lines[0].value == "Jürgen")
        }
    }

    @Test("What an old phone writes: types without a name, soft line breaks, base64 without indent")
    func version2() throws {
        let read = try vcard(
            "TEL;HOME;VOICE;PREF:030 1",
            "FN;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:J=C3=BCrgen=",
            "=20M=C3=BCller",
            "NOTE;QUOTED-PRINTABLE:one=0D=0Atwo",
            "PHOTO;JPEG;ENCODING=BASE64:/9j/",
            "AAAA",
            "BBBB=",
            "",
            "ORG:ACME",
            version: "2.1"
        )
        #expect(read.version == .v2)
        let found = read.lines.map { "\($0.name)=\($0.value)" }
        #expect(
            found == [
                "TEL=030 1", "FN=Jürgen Müller", "NOTE=one\\ntwo",
                "PHOTO=data:image/jpeg;base64,/9j/AAAABBBB=",
                "ORG=ACME",
            ]
        )
        #expect(
            read.lines[0].parameters == [Parameter("type", ["home", "voice"]), Parameter("pref", ["1"])]
        )
    }

    @Test("A card inside a card, as agents were written, belongs to the outer one")
    func agent() throws {
        let read = try vcard("AGENT:", "BEGIN:VCARD", "FN:Inner", "END:VCARD", "FN:Outer", version: "2.1")
        #expect(read.lines.map(\.name) == ["AGENT", "FN"])
        #expect(TextValue.unescaped(read.lines[0].value) == "BEGIN:VCARD\nFN:Inner\nEND:VCARD\n")
    }

    @Test("Parameters: quotes, lists, RFC 6868, and one name given twice")
    func parameters() throws {
        let read = try vcard(
            "ADR;LABEL=\"a; b: c, d^n^'e^' ^^\";TYPE=home;TYPE=\"work,x-y\":;;s;;;;",
            version: "4.0"
        ).lines[0]
        #expect(read.first("label") == "a; b: c, d\n\"e\" ^")
        #expect(read["type"] == ["home", "work", "x-y"])
        #expect(read.value == ";;s;;;;")
    }

    @Test("Escapes are undone once, and lists divide at what is not escaped")
    func escapes() {
        #expect(
            TextValue.unescaped(#"one\, two\; three\nfour\\nfive \x"#) == "one, two; three\nfour\\nfive \\x"
        )
        #expect(TextValue.split(#"a\,b,c\\,d"#, ",") == [#"a\,b"#, #"c\\"#, "d"])
        for text in ["", "\\", "a\\,b;c\nd", "\\n", "é\u{301}\u{1F468}\u{200D}\u{1F469}"] {
            #expect(TextValue.unescaped(TextValue.escaped(text)) == text)
        }
    }

    @Test(
        "Dates in every notation become the basic one",
        arguments: [
            ("1996-04-15", "19960415"), ("19960415", "19960415"), ("--04-15", "--0415"), ("--0415", "--0415"),
            ("1996-04", "1996-04"), ("1996", "1996"), ("---15", "---15"),
            ("1996-04-15T12:30:00Z", "19960415T123000Z"), ("circa 1800", nil), ("", nil), ("1996-4-1", nil),
        ]
    )
    func dates(text: String, basic: String?) {
        #expect(DateForm.basic(text) == basic)
    }

    @Test("Whatever bytes come, reading ends, and names a line that is there")
    func anyBytes() {
        let pieces = [
            "BEGIN:VCARD", "END:VCARD", "VERSION:4.0", "FN:x", "item1.TEL;TYPE=\"a", ":", ";", "=", "\r\n",
            "\n", " ",
            "=\n", "ENCODING=QUOTED-PRINTABLE:=4", "PHOTO;ENCODING=b:", "AAAA", "\u{FEFF}", "^n", "\\",
            "AGENT:", ",",
        ]
        var random = SeededGenerator(seed: 7)
        for _ in 0..<2000 {
            var bytes: [UInt8] = []
            for _ in 0..<random.below(30) {
                bytes += Array(pieces[random.below(pieces.count)].utf8)
                if random.below(3) == 0 { bytes += [0x0A] }
                if random.below(20) == 0 { bytes.append(UInt8(random.below(256))) }
            }
            for item in VCardFile(bytes).items {
                switch item {
                case .success(let vcard): _ = vcard.card
                case .failure(let error): #expect(error.line >= 1 && error.line <= bytes.count + 1)
                }
            }
        }
    }
}
