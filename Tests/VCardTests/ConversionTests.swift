import Contacts
import JSON
import Testing

@testable import VCard

/// RFC 9555, property by property.
@Suite("vCard and Card")
struct ConversionTests {
    /// A line, the member of the Card that it becomes, and that member.
    static let examples: [(line: String, member: String, value: JSONValue)] = [
        ("FN:John Q. Public\\, Esq.", "name", ["full": "John Q. Public, Esq."]),
        (
            "N;SORT-AS=\"Stevenson,John Philip\":Stevenson;John;Philip,Paul;Dr.;Jr.,M.D.,A.C.P.;;Jr.", "name",
            [
                "components": [
                    ["kind": "surname", "value": "Stevenson"], ["kind": "given", "value": "John"],
                    ["kind": "given2", "value": "Philip"], ["kind": "given2", "value": "Paul"],
                    ["kind": "title", "value": "Dr."], ["kind": "credential", "value": "M.D."],
                    ["kind": "credential", "value": "A.C.P."], ["kind": "generation", "value": "Jr."],
                ],
                "sortAs": ["surname": "Stevenson", "given": "John Philip"],
            ]
        ),
        ("NICKNAME;TYPE=work:Boss", "nicknames", ["k1": ["name": "Boss", "contexts": ["work": true]]]),
        (
            "PHOTO:http://www.example.com/pub/photos/jqpublic.gif", "media",
            ["m1": ["kind": "photo", "uri": "http://www.example.com/pub/photos/jqpublic.gif"]]
        ),
        (
            "BDAY:19531015", "anniversaries",
            ["y1": ["kind": "birth", "date": ["year": 1953, "month": 10, "day": 15]]]
        ),
        (
            "BDAY:19531015T231000Z", "anniversaries",
            ["y1": ["kind": "birth", "date": ["@type": "Timestamp", "utc": "1953-10-15T23:10:00Z"]]]
        ),
        (
            "ANNIVERSARY:--0415", "anniversaries",
            ["y1": ["kind": "wedding", "date": ["month": 4, "day": 15]]]
        ),
        (
            "ADR;CC=US;GEO=\"geo:12.3457,78.910\";TZ=America/New_York;TYPE=work:;;54321 Oak St;Reston;VA;20190;USA",
            "addresses",
            [
                "a1": [
                    "components": [
                        ["kind": "name", "value": "54321 Oak St"], ["kind": "locality", "value": "Reston"],
                        ["kind": "region", "value": "VA"], ["kind": "postcode", "value": "20190"],
                        ["kind": "country", "value": "USA"],
                    ],
                    "coordinates": "geo:12.3457,78.910", "timeZone": "America/New_York", "countryCode": "US",
                    "contexts": ["work": true],
                ]
            ]
        ),
        (
            "ADR:;Apt 9;12 Main St;Paris;;;France;;9;;12;Main St;;;;;;", "addresses",
            [
                "a1": [
                    "components": [
                        ["kind": "locality", "value": "Paris"], ["kind": "country", "value": "France"],
                        ["kind": "apartment", "value": "9"], ["kind": "number", "value": "12"],
                        ["kind": "name", "value": "Main St"],
                    ]
                ]
            ]
        ),
        (
            "TEL;VALUE=uri;PREF=1;TYPE=\"voice,home\":tel:+1-555-555-5555;ext=5555", "phones",
            [
                "p1": [
                    "number": "tel:+1-555-555-5555;ext=5555", "features": ["voice": true],
                    "contexts": ["private": true], "pref": 1,
                ]
            ]
        ),
        (
            "TEL;TYPE=cell:+33-01-23-45-67", "phones",
            ["p1": ["number": "+33-01-23-45-67", "features": ["mobile": true]]]
        ),
        (
            "EMAIL;TYPE=work;X-FOO=bar:jqpublic@xyz.example.com", "emails",
            [
                "e1": [
                    "address": "jqpublic@xyz.example.com", "contexts": ["work": true],
                    "vCardParams": ["x-foo": "bar"],
                ]
            ]
        ),
        (
            "IMPP;TYPE=home;PREF=1:xmpp:alice@example.com", "onlineServices",
            [
                "o1": [
                    "uri": "xmpp:alice@example.com", "contexts": ["private": true], "pref": 1,
                    "vCardName": "impp",
                ]
            ]
        ),
        (
            "SOCIALPROFILE;SERVICE-TYPE=Mastodon:https://example.com/@foo", "onlineServices",
            ["o1": ["service": "Mastodon", "uri": "https://example.com/@foo"]]
        ),
        (
            "SOCIALPROFILE;SERVICE-TYPE=SomeSite;VALUE=text:peter94", "onlineServices",
            ["o1": ["service": "SomeSite", "user": "peter94"]]
        ),
        (
            "LANG;TYPE=work;PREF=1:en", "preferredLanguages",
            ["l1": ["language": "en", "contexts": ["work": true], "pref": 1]]
        ),
        (
            "CONTACT-URI;PREF=1:mailto:contact@example.com", "links",
            ["u1": ["kind": "contact", "uri": "mailto:contact@example.com", "pref": 1]]
        ),
        (
            "MEMBER:urn:uuid:03a0e51f-d1aa-4385-8a53-e29025acd8af", "members",
            ["urn:uuid:03a0e51f-d1aa-4385-8a53-e29025acd8af": true]
        ),
        (
            "ORG;SORT-AS=\"ABC\":ABC\\, Inc.;North American Division;Marketing", "organizations",
            [
                "o1": [
                    "name": "ABC, Inc.", "sortAs": "ABC",
                    "units": [["name": "North American Division"], ["name": "Marketing"]],
                ]
            ]
        ),
        (
            "RELATED;TYPE=friend:urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "relatedTo",
            ["urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6": ["relation": ["friend": true]]]
        ),
        ("TITLE:Research Scientist", "titles", ["t1": ["kind": "title", "name": "Research Scientist"]]),
        ("ROLE:Project Leader", "titles", ["t1": ["kind": "role", "name": "Project Leader"]]),
        (
            "EXPERTISE;LEVEL=beginner;INDEX=2:Chinese literature", "personalInfo",
            ["i1": ["kind": "expertise", "value": "Chinese literature", "level": "low", "listAs": 2]]
        ),
        (
            "HOBBY;LEVEL=high:reading", "personalInfo",
            ["i1": ["kind": "hobby", "value": "reading", "level": "high"]]
        ),
        ("CATEGORIES:internet,IETF", "keywords", ["internet": true, "IETF": true]),
        (
            "NOTE;CREATED=20221123T150132Z;AUTHOR-NAME=\"John\":Office hours are from 0800 to 1715 EST\\, Mon-Fri.",
            "notes",
            [
                "n1": [
                    "note": "Office hours are from 0800 to 1715 EST, Mon-Fri.",
                    "created": "2022-11-23T15:01:32Z",
                    "author": ["name": "John"],
                ]
            ]
        ),
        ("REV:19951031T222710Z", "updated", "1995-10-31T22:27:10Z"),
        ("CREATED:20220705T093412Z", "created", "2022-07-05T09:34:12Z"),
        (
            "URL;PREF=1:https://example.org/directory.pdf", "links",
            ["u1": ["uri": "https://example.org/directory.pdf", "pref": 1]]
        ),
        (
            "KEY;MEDIATYPE=application/pgp-keys:https://www.example.com/keys/jdoe", "cryptoKeys",
            ["c1": ["uri": "https://www.example.com/keys/jdoe", "mediaType": "application/pgp-keys"]]
        ),
        (
            "FBURL:https://www.example.com/busy", "calendars",
            ["a1": ["kind": "freeBusy", "uri": "https://www.example.com/busy"]]
        ),
        (
            "CALADRURI:mailto:janedoe@example.com", "schedulingAddresses",
            ["s1": ["uri": "mailto:janedoe@example.com"]]
        ),
        (
            "ORG-DIRECTORY;INDEX=1:https://directory.mycompany.example.com", "directories",
            ["d1": ["kind": "directory", "uri": "https://directory.mycompany.example.com", "listAs": 1]]
        ),
        (
            "SOURCE:https://dir.example.com/addrbook/jdoe.vcf", "directories",
            ["d1": ["kind": "entry", "uri": "https://dir.example.com/addrbook/jdoe.vcf"]]
        ),
        ("GRAMGENDER:neuter", "speakToAs", ["grammaticalGender": "neuter"]),
        (
            "PRONOUNS;PREF=2:they/them", "speakToAs",
            ["pronouns": ["r1": ["pronouns": "they/them", "pref": 2]]]
        ),
        ("LANGUAGE:de-AT", "language", "de-AT"),
        ("KIND:org", "kind", "org"),
        ("GENDER:M;Fellow", "vCardProps", [["gender", [:], "unknown", "M;Fellow"]]),
        (
            "item2.X-FOO;PREF=1:bar", "vCardProps",
            [["x-foo", ["group": "item2", "pref": "1"], "unknown", "bar"]]
        ),
        ("JSPROP;JSPTR=\"example.com:foo\":{\"bar\":1234}", "example.com:foo", ["bar": 1234]),
    ]

    @Test("A property becomes what RFC 9555 says, and comes back", arguments: examples)
    func example(line: String, member: String, value: JSONValue) throws {
        let found = try card("UID:u1", line)
        #expect(found[member] == value, "\(found[member].map { JSONWriter.text($0) } ?? "nothing")")
        #expect(try RoundTrip(vcard("UID:u1", line, version: "4.0")).differences == [])
        #expect(RoundTrip(found).differences == [])
        _ = try ContactItem.read(.object(found))
    }

    @Test(
        "Apple's labels, days, groups and services become members that show them, and come back as they were"
    )
    func apple() throws {
        let lines = [
            "item1.TEL;type=CELL:+1 202 555 0145", "item1.X-ABLabel:_$!<Mobile>!$_",
            "item2.X-ABDATE:2010-06-21",
            "item2.X-ABLabel:_$!<Anniversary>!$_", "BDAY;X-APPLE-OMIT-YEAR=1604:1604-04-15",
            "X-ADDRESSBOOKSERVER-KIND:group", "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:1",
            "X-SOCIALPROFILE;type=twitter;x-user=ana:http\\://twitter.com/ana",
        ]
        let text = "BEGIN:VCARD\nVERSION:3.0\n\(lines.joined(separator: "\n"))\nEND:VCARD"
        let vcard = try VCardFile(Array(text.utf8)).items[0].get()
        let card = vcard.card.card
        #expect(
            card["phones"] == [
                "p1": ["number": "+1 202 555 0145", "features": ["mobile": true], "label": "_$!<Mobile>!$_"]
            ]
        )
        #expect(
            card["anniversaries"] == [
                "y1": [
                    "kind": "wedding", "date": ["year": 2010, "month": 6, "day": 21], "vCardName": "x-abdate",
                ],
                "y2": ["kind": "birth", "date": ["month": 4, "day": 15]],
            ]
        )
        #expect(card["kind"] == "group" && card["members"] == ["urn:uuid:1": true])
        #expect(
            card["onlineServices"] == [
                "o1": [
                    "service": "twitter", "user": "ana", "uri": "http://twitter.com/ana",
                    "vCardName": "x-socialprofile",
                ]
            ]
        )
        #expect(RoundTrip(vcard).differences == [])
    }

    @Test("What a Card can say only nearly is kept as it was, until somebody changes it")
    func nearly() throws {
        var card = try card("FN:Ana", "BDAY:19960415T102200", "BDAY;VALUE=text:in spring")
        #expect(
            card["anniversaries"] == [
                "y1": ["kind": "birth", "date": ["year": 1996, "month": 4, "day": 15]]
            ]
        )
        #expect(lines(.object(card)).contains("BDAY:19960415T102200"))
        card["anniversaries"] = ["y1": ["kind": "birth", "date": ["year": 1996, "month": 4, "day": 16]]]
        let changed = lines(.object(card)).filter { $0.hasPrefix("BDAY") }
        #expect(changed == ["BDAY:19960416", "BDAY;VALUE=text:in spring"])
    }

    @Test("Members that vCard has no property for are JSPROP in 4.0, and lost and named in 3.0")
    func losses() {
        let card: JSONValue = [
            "@type": "Card", "version": "1.0", "uid": "x", "name": ["full": "Ana", "phoneticScript": "Latn"],
            "phones": ["work": ["number": "1", "contexts": ["example.com:car": true]]],
            "example.com:foo": [1, 2],
        ]
        let object = card.object ?? JSONObject()
        #expect(RoundTrip(object).differences == [])
        #expect(lines(card).contains("JSPROP;JSPTR=\"example.com:foo\":[1\\,2]"))
        let lost = VCard.of(object, .v3).losses
        #expect(lost.map(\.property) == ["name/phoneticScript", "phones/work/contexts", "example.com:foo"])
        #expect(lost.allSatisfy { $0.reason == "vCard 3.0 has no place for it" })
    }

    @Test("A contact without a name gets the formatted name that vCard demands, marked as made")
    func noName() {
        #expect(lines(["organizations": ["o1": ["name": "ACME"]]]) == ["FN;DERIVED=true:ACME", "ORG:ACME"])
        #expect(
            lines(["emails": ["e1": ["address": "a@example.com"]]], .v3).prefix(2) == [
                "FN;DERIVED=true:a@example.com", "N:;;;;",
            ]
        )
    }

    @Test("Lines are at most 75 bytes long and never part a character")
    func folding() throws {
        let name = String(repeating: "äöü€𝄞", count: 40)
        let bytes = VCard.of(JSONObject([("name", ["full": .string(name)])]), .v4).card.bytes(.v4)
        let physical = bytes.split(separator: UInt8(ascii: "\n"))
        for line in physical {
            #expect(line.count <= 76 && String(validating: line, as: UTF8.self) != nil)
        }
        #expect(try VCardFile(bytes).items[0].get().card.card["name"] == ["full": .string(name)])
    }

    @Test("Nothing that a contact says can break out of its line")
    func injection() throws {
        let evil = "x\r\nEND:VCARD\r\nBEGIN:VCARD\r\nFN:Mallory"
        let card: JSONValue = [
            "uid": .string(evil), "name": ["full": .string(evil)], "kind": .string(evil),
            "phones": [
                "p1": [
                    "number": "1", "label": .string(evil), "vCardParams": ["x-a": .string(evil), evil: "b"],
                ]
            ],
            "links": ["u1": ["uri": .string(evil)]], "members": [evil: true], "language": .string(evil),
            "vCardProps": [["x-foo", [:], "unknown", .string(evil)], [.string(evil), [:], "text", "a"]],
        ]
        for version in [VCardVersion.v3, .v4] {
            #expect(
                VCardFile(VCard.of(card.object ?? JSONObject(), version).card.bytes(version)).items.count == 1
            )
        }
    }
}
