import Contacts
import JSON
import TestSupport
import Testing

@Suite struct ContactItemTests {
    private func read(_ text: String) throws -> ContactItem {
        try ContactItem.read(try JSONReader.value(Array(text.utf8)))
    }

    private func error(_ text: String) throws -> CardError? {
        let value = try JSONReader.value(Array(text.utf8))
        do throws(CardError) {
            _ = try ContactItem.read(value)
            return nil
        } catch { return error }
    }

    @Test(
        "The plain form becomes a Card and keeps what it does not know",
        arguments: [
            (#"{"name":"Ana","phone":"1"}"#, #"{"name":{"full":"Ana"},"phones":{"p1":{"number":"1"}}}"#),
            (#"{"phone":2079460123}"#, #"{"phones":{"p1":{"number":"2079460123"}}}"#),
            (
                #"{"name":"","phones":["1","2",""],"phone":"1"}"#,
                #"{"phones":{"p1":{"number":"1"},"p2":{"number":"2"}}}"#
            ),
            (
                #"{"name":null,"email":"a@b","emails":["c@d"]}"#,
                #"{"emails":{"e1":{"address":"a@b"},"e2":{"address":"c@d"}}}"#
            ),
            (
                #"{"name":"Ana","phone":null,"x":{"y":[1.0]},"note":"hi","uid":""}"#,
                #"{"name":{"full":"Ana"},"x":{"y":[1.0]},"note":"hi"}"#
            ),
            (
                #"{"phone":"1","keywords":{"a":true}}"#,
                #"{"phones":{"p1":{"number":"1"}},"keywords":{"a":true}}"#
            ),
        ]
    )
    func plain(text: String, card: String) throws {
        let item = try read(text)
        #expect(item.form == .plain)
        #expect(item.uid == nil)
        #expect(JSONWriter.text(.object(item.card)) == card)
    }

    @Test(
        "A Card loses @type and uid, and nothing else",
        arguments: [
            (
                #"{"@type":"Card","version":"1.0","uid":"u","name":{"full":"A"}}"#, "u",
                #"{"version":"1.0","name":{"full":"A"}}"#
            ),
            (
                #"{"@type":"Card","version":"2.0","name":{"full":"A"},"phone":7}"#, nil,
                #"{"version":"2.0","name":{"full":"A"},"phone":7}"#
            ),
            (#"{"name":{"full":"A"},"a:b":null}"#, nil, #"{"name":{"full":"A"},"a:b":null}"#),
            (
                #"{"phones":{"p":{"number":"1","x":[null]}},"uid":""}"#, nil,
                #"{"phones":{"p":{"number":"1","x":[null]}}}"#
            ),
            (#"{"@type":"Card","version":"1.0","uid":"u"}"#, "u", #"{"version":"1.0"}"#),
        ]
    )
    func card(text: String, uid: String?, card: String) throws {
        let item = try read(text)
        #expect(item.form == .card)
        #expect(item.uid == uid)
        #expect(JSONWriter.text(.object(item.card)) == card)
    }

    @Test(
        "What is no contact is refused",
        arguments: [
            "null", "\"Lotte +44 20 7946 0182\"", "7", "[]", "{}", #"{"name":null,"phone":null}"#,
            #"{"nme":"Max"}"#,
            #"{"name":" ","phone":" "}"#, #"{"uid":"u"}"#, #"{"@type":"Card","version":"1.0"}"#,
            #"{"@type":"Group","name":"A"}"#,
            #"{"@type":1,"name":"A"}"#, #"{"phones":[]}"#, #"{"kind":"org"}"#,
            #"{"@type":"Card","version":"1.0","phones":{}}"#,
            #"{"name":{"full":"A"},"phone":"1"}"#,
        ]
    )
    func noContact(text: String) throws { #expect(try error(text) != nil) }

    @Test(
        "A wrong type in a registered property is refused at its path",
        arguments: [
            (#"{"name":42,"phone":"1"}"#, ["name"], "name must be a string, not a number"),
            (#"{"phone":1.5}"#, ["phone"], "phone must be a string or an integer, not 1.5"),
            (#"{"phones":["1",{}]}"#, ["phones", 1], "phones/1 must be a string, not an object"),
            (#"{"phone":"1","notes":"x"}"#, ["notes"], "notes must be an object, not a string"),
            (#"{"phone":"1","uid":5}"#, ["uid"], "uid must be a string, not a number"),
            (
                #"{"@type":"Card","phones":{"p1":{"number":2079460789}}}"#, ["phones", "p1", "number"],
                "phones/p1/number must be a string, not a number"
            ),
            (
                #"{"@type":"Card","phones":{"p1":{"number":"1","pref":0}}}"#, ["phones", "p1", "pref"],
                "phones/p1/pref must be an integer from 1 to 100, not 0"
            ),
            (
                #"{"@type":"Card","phones":{"p1":{"features":{"fax":1}}}}"#,
                ["phones", "p1", "features", "fax"],
                "phones/p1/features/fax must be true or false, not a number"
            ),
            (#"{"@type":"Card","phones":["1"]}"#, ["phones"], "phones must be an object, not an array"),
            (#"{"@type":"Card","name":"A"}"#, ["name"], "name must be an object, not a string"),
            (#"{"@type":"Card","uid":null,"name":{}}"#, ["uid"], "uid must be a string, not null"),
            (
                #"{"@type":"Card","name":{"components":[{"value":1}]}}"#, ["name", "components", 0, "value"],
                "name/components/0/value must be a string, not a number"
            ),
            (
                #"{"@type":"Card","organizations":{"o":{"units":[{"name":true}]}}}"#,
                ["organizations", "o", "units", 0, "name"],
                "organizations/o/units/0/name must be a string, not true"
            ),
            (
                #"{"@type":"Card","anniversaries":{"a":{"date":{"year":"x"}}}}"#,
                ["anniversaries", "a", "date", "year"],
                "anniversaries/a/date/year must be a number, not a string"
            ),
            (
                #"{"@type":"Card","localizations":{"uk":{"name/full":1}}}"#,
                ["localizations", "uk", "name/full"],
                "localizations/uk/name/full must be a string, not a number"
            ),
            (
                #"{"@type":"Card","members":{"u":"x"}}"#, ["members", "u"],
                "members/u must be true or false, not a string"
            ),
            (
                #"{"@type":"Card","emails":{"e":null}}"#, ["emails", "e"],
                "emails/e must be an object, not null"
            ),
        ] as [(String, [JSONStep], String)]
    )
    func wrongTypes(text: String, path: [JSONStep], reason: String) throws {
        let error = try error(text)
        #expect(error?.path == path)
        #expect(error?.reason == reason)
    }

    @Test(
        "Every registered property may be there",
        arguments: [
            #"{"@type":"Card","localizations":{"uk":{"name":{"full":"В"},"phones/p1/label":null,"x/y":1}},"name":{"full":"V","sortAs":{"given":"V"}}}"#,
            #"{"@type":"Card","addresses":{"a":{"components":[{"kind":"name","value":"X"}],"coordinates":"geo:1,2","pref":1e0}},"speakToAs":{"pronouns":{"p":{"pronouns":"they","pref":100}}}}"#,
            #"{"@type":"Card","anniversaries":{"a":{"kind":"birth","date":{"@type":"PartialDate","month":2},"place":{"full":"x"}}},"directories":{"d":{"uri":"x","listAs":1}}}"#,
            #"{"@type":"Card","notes":{"n":{"note":"x","author":{"name":"y"}}},"personalInfo":{"i":{"kind":"hobby","listAs":3}},"relatedTo":{"u":{"relation":{}}},"kind":"x"}"#,
        ]
    )
    func registered(text: String) throws { #expect(try error(text) == nil) }

    @Test("A made uid depends on the content alone")
    func madeUIDs() throws {
        let plain = try read(#"{"name":"Ana","phone":"1"}"#).card
        let card = try read(
            #"{"@type":"Card","version":"2.0","updated":"x","phones":{"p1":{"number":"1"}},"name":{"full":"Ana"}}"#
        ).card
        let other = try read(#"{"name":"Ana","phone":"2"}"#).card
        let uid = MadeUID.make(plain, hash: .test)
        #expect(uid == MadeUID.make(card, hash: .test))
        #expect(uid != MadeUID.make(other, hash: .test))
        #expect(MadeUID.isMade(uid))
        #expect(uid.utf8.count == "urn:uuid:".utf8.count + 36)
        for other in [
            "", uid + "0", String(uid.dropLast()), uid.uppercased(),
            "urn:uuid:6f1b2c3d-0381-4000-8000-000000000381",
        ] {
            #expect(!MadeUID.isMade(other))
        }
    }

    @Test("Members divide into fields by what RFC 9553 says")
    func shapes() {
        #expect(
            ["phones", "emails", "media", "notes", "anniversaries"].allSatisfy {
                CardSchema.shape(of: $0) == .entries
            }
        )
        #expect(["keywords", "members"].allSatisfy { CardSchema.shape(of: $0) == .set })
        #expect(["localizations", "relatedTo"].allSatisfy { CardSchema.shape(of: $0) == .keyed })
        #expect(
            ["name", "speakToAs", "kind", "vCardProps", "example.com:x", "phone"].allSatisfy {
                CardSchema.shape(of: $0) == .whole
            }
        )
    }
}
