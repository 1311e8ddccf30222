import JSON
import TestSupport
import Testing

@testable import VCard

/// Cards and vCards that a seed makes up.
@Suite("vCard round trips")
struct PropertyTests {
    @Test("Any vCard comes back from its Card as it was", arguments: [VCardVersion.v3, .v4])
    func anyVCard(version: VCardVersion) throws {
        for seed in 0..<150 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let text = Self.text(version, &random)
            let vcard = try VCardFile(Array(text.utf8)).items[0].get()
            let differences = RoundTrip(vcard).differences
            #expect(differences.isEmpty, "seed \(seed): \(differences)\n\(text)")
            if !differences.isEmpty { return }
        }
    }

    @Test("Any Card comes back from its vCard 4.0 as it was")
    func anyCard() {
        for seed in 0..<150 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let differences = RoundTrip(Self.card(&random)).differences
            #expect(differences.isEmpty, "seed \(seed): \(differences)")
            if !differences.isEmpty { return }
        }
    }

    // MARK: vCards

    private static let names = [
        "FN", "N", "NICKNAME", "PHOTO", "BDAY", "ANNIVERSARY", "DEATHDATE", "BIRTHPLACE", "DEATHPLACE",
        "GENDER", "ADR",
        "TEL", "EMAIL", "IMPP", "LANG", "TZ", "GEO", "TITLE", "ROLE", "LOGO", "ORG", "MEMBER", "RELATED",
        "CATEGORIES",
        "NOTE", "PRODID", "REV", "SOUND", "UID", "CLIENTPIDMAP", "URL", "KEY", "FBURL", "CALADRURI", "CALURI",
        "KIND",
        "SOURCE", "X-FOO", "X-AIM", "X-SOCIALPROFILE", "X-ABDATE", "X-ABLabel", "SORT-STRING", "CLASS",
        "LABEL",
        "EXPERTISE", "HOBBY", "ORG-DIRECTORY", "SOCIALPROFILE", "PRONOUNS", "GRAMGENDER", "LANGUAGE",
        "CREATED",
        "CONTACT-URI", "X-ANNIVERSARY", "XML",
    ]
    private static let values = [
        "Ana Holm", "a\\,b", "x\\;y;z", ";;Main St\\nFlat 2;Oslo;;;Norway", "one,two,,three", "19960415",
        "1996-04-15",
        "--0415", "19960415T102030Z", "1996-04-15T10:20:30Z", "20090808T1430-0500", "circa 1800",
        "http://example.com/a",
        "data:image/png;base64,AAAA", "tel:+1-202-555-0145", "+44 20 7946 0123", "geo:1,2", "AAAA", "",
        ";;;;", "M;x",
        "urn:uuid:1", "Jürgen \\\\ 10\\:30", "Doe;Jane;A,B;Dr.;Jr.;Ng;III", "back\\slash", "{\"a\":1}",
        "a ^ \"b\"",
    ]
    private static let parameters = [
        "TYPE=home", "TYPE=work,cell", "type=pref", "PREF=1", "PREF=7", "TYPE=x-odd", "VALUE=uri",
        "VALUE=text",
        "VALUE=date", "LANGUAGE=de", "SORT-AS=\"a,b\"", "X-P=\"q;r\"", "ALTID=1", "PID=1.1,2",
        "MEDIATYPE=image/gif",
        "LABEL=\"a^nb\"", "GEO=\"geo:1,2\"", "CC=NO", "INDEX=3", "LEVEL=high", "SERVICE-TYPE=x", "USERNAME=u",
        "ENCODING=b", "TYPE=JPEG", "CALSCALE=gregorian", "PROP-ID=p7", "CREATED=20200101T000000Z",
        "AUTHOR-NAME=A",
        "X-APPLE-OMIT-YEAR=1996",
    ]

    private static func text(_ version: VCardVersion, _ random: inout SeededGenerator) -> String {
        var lines = ["BEGIN:VCARD", "VERSION:\(version.text)", "FN:\(values[random.below(4)])"]
        // What may stand there once only stands there once.
        var seen: Set<String> = []
        for _ in 0..<random.below(14) {
            let name = names[random.below(names.count)]
            let once = [
                "KIND", "UID", "PRODID", "REV", "CREATED", "LANGUAGE", "GRAMGENDER", "BIRTHPLACE",
                "DEATHPLACE",
            ]
            if once.contains(name), !seen.insert(name).inserted { continue }
            var head =
                random.below(4) == 0 ? ["item1.", "g2.", "ITEM1.", "item9."][random.below(4)] + name : name
            for _ in 0..<random.below(4) { head += ";" + parameters[random.below(parameters.count)] }
            lines.append("\(head):\(values[random.below(values.count)])")
        }
        return (lines + ["END:VCARD", ""]).joined(separator: "\r\n")
    }

    // MARK: Cards

    private static func card(_ random: inout SeededGenerator) -> JSONObject {
        var card = JSONObject([
            ("@type", "Card"), ("version", "1.0"), ("uid", .string("u\(random.below(99))")),
        ])
        let maps: [(String, String, [String])] = [
            ("phones", "number", []), ("emails", "address", []), ("nicknames", "name", []),
            ("titles", "name", ["title", "role", "other"]), ("notes", "note", []),
            ("links", "uri", ["contact", "other"]),
            ("media", "uri", ["photo", "logo", "sound", "odd"]), ("onlineServices", "uri", []),
            ("onlineServices", "user", []), ("calendars", "uri", ["calendar", "freeBusy", "x"]),
            ("organizations", "name", []), ("personalInfo", "value", ["hobby", "expertise", "x"]),
            ("addresses", "full", []), ("preferredLanguages", "language", []), ("example.com:x", "y", []),
            ("directories", "uri", ["entry", "directory"]), ("cryptoKeys", "uri", []),
            ("schedulingAddresses", "uri", []),
        ]
        for _ in 0..<random.below(7) {
            let (member, text, kinds) = maps[random.below(maps.count)]
            var map = JSONObject()
            for _ in 0..<(1 + random.below(3)) {
                var entry = JSONObject([(text, .string(word(&random)))])
                if !kinds.isEmpty { entry["kind"] = .string(kinds[random.below(kinds.count)]) }
                for (key, value) in extras where random.below(5) == 0 { entry[key] = value }
                map[["p1", "p2", "e1", "k1", "o1", "my/id", "a~b", "ä"][random.below(8)]] = .object(entry)
            }
            card[member] = .object(map)
        }
        if random.below(2) == 0 {
            card["name"] = [
                "full": .string(word(&random)),
                "components": [
                    ["kind": "given", "value": "A"], ["kind": "separator", "value": "-"],
                    ["kind": "surname", "value": "B"],
                ], "isOrdered": .bool(random.below(2) == 0),
            ]
        }
        if random.below(3) == 0 { card["keywords"] = [word(&random): true, "b": true] }
        if random.below(3) == 0 { card["updated"] = "2024-01-02T03:04:05Z" }
        if random.below(4) == 0 { card["localizations"] = ["de": ["name/full": .string(word(&random))]] }
        if random.below(4) == 0 {
            card["anniversaries"] = [
                "b": ["kind": "birth", "date": ["year": 1990], "place": ["full": .string(word(&random))]],
                "o": ["kind": "other", "date": ["month": 2]],
            ]
        }
        if random.below(4) == 0 {
            card["vCardProps"] = [
                ["x-foo", ["a": ["1", "2"]], "unknown", "v\\,w"], ["gender", [:], "text", "M"],
            ]
        }
        return card
    }

    private static let extras: [(String, JSONValue)] = [
        ("contexts", ["private": true, "work": true]), ("contexts", ["school": true]),
        ("features", ["mobile": true, "fax": true]),
        ("pref", 3), ("label", "my label"), ("mediaType", "text/plain"), ("listAs", 2), ("level", "high"),
        ("vCardParams", ["x-a": "b;c", "group": "g1"]), ("service", "Sv"), ("sortAs", "key"),
        ("units", [["name": "U, V"], ["name": "W", "sortAs": "w"]]), ("unknown", [1, .null]),
        ("coordinates", "geo:1,2"),
        ("components", [["kind": "number", "value": "1"], ["kind": "name", "value": "St; x"]]),
        ("@type", "Whatever"),
    ]

    private static func word(_ random: inout SeededGenerator) -> String {
        ["Ana", "a,b;c\\d\ne", "tel:+1", "ä €", "http://x.example/?a=1;b", "1", " x ", "\"q\"^n"][
            random.below(8)
        ]
    }
}
