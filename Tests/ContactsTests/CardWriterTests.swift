import Contacts
import JSON
import Testing

@Suite struct CardWriterTests {
    private func object(_ text: String) throws -> JSONObject {
        try #require(try JSONReader.value(Array(text.utf8)).object)
    }

    @Test("A new Card has the usual order")
    func usualOrder() throws {
        let card = try object(#"{"x":1,"emails":{},"phones":{},"name":{},"updated":"t"}"#)
        #expect(
            CardWriter.card(card, uid: "u", like: nil).keys
                == ["@type", "version", "uid", "name", "phones", "emails", "updated", "x"]
        )
        #expect(CardWriter.card(card, uid: "u", like: nil)["version"] == "1.0")
        #expect(CardWriter.card(card, uid: nil, like: nil)["version"] == "2.0")
    }

    @Test("The order of the file is kept at every depth, and what is new comes behind")
    func keptOrder() throws {
        let like = try object(
            #"{"phones":{"b":{"label":"x","number":"1"},"a":{}},"version":"2.0","name":{},"@type":"Card","gone":1}"#
        )
        let card = try object(
            #"{"version":"2.0","name":{"full":"A"},"notes":{},"phones":{"a":{},"c":{},"b":{"number":"1","label":"y"}}}"#
        )
        #expect(
            JSONWriter.text(.object(CardWriter.card(card, uid: "u", like: like)))
                == #"{"uid":"u","phones":{"b":{"label":"y","number":"1"},"a":{},"c":{}},"version":"2.0","name":{"full":"A"},"@type":"Card","notes":{}}"#
        )
    }

    @Test(
        "The plain form is kept while it can say everything",
        arguments: [
            (
                #"{"phone":"1","name":"A"}"#, #"{"name":{"full":"B"},"phones":{"p1":{"number":"1"}}}"#,
                #"{"phone":"1","name":"B"}"#
            ),
            (
                #"{"name":"A","phone":"1","x":2}"#,
                #"{"x":2,"name":{"full":"A"},"phones":{"p1":{"number":"1"},"p2":{"number":"2"}}}"#,
                #"{"name":"A","phones":["1","2"],"x":2}"#
            ),
            (
                #"{"name":"A","phones":["1","2"]}"#, #"{"name":{"full":"A"},"phones":{"p2":{"number":"2"}}}"#,
                #"{"name":"A","phones":["2"]}"#
            ),
            (
                #"{"name":"A","phone":207,"email":"a@b"}"#,
                #"{"name":{"full":"C"},"phones":{"p1":{"number":"207"}},"emails":{"e1":{"address":"c@d"}}}"#,
                #"{"name":"C","phone":207,"email":"c@d"}"#
            ),
            (
                #"{"phone":"1","phones":["2"]}"#,
                #"{"phones":{"p1":{"number":"1"},"p2":{"number":"2"},"p3":{"number":"3"}}}"#,
                #"{"phone":"1","phones":["2","3"]}"#
            ),
            (
                #"{"phone":"1","phones":["1","2"]}"#,
                #"{"phones":{"p1":{"number":"1"},"p2":{"number":"2"}}}"#, #"{"phone":"1","phones":["1","2"]}"#
            ),
            (
                #"{"name":"A","kind":"org"}"#, #"{"name":{"full":"A"},"kind":"org"}"#,
                #"{"name":"A","kind":"org"}"#
            ),
        ]
    )
    func plain(like: String, card: String, written: String) throws {
        let plain = CardWriter.plain(try object(card), uid: nil, like: try object(like))
        #expect(plain.map { JSONWriter.text(.object($0)) } == written)
        let item = try ContactItem.read(.object(try #require(plain)))
        #expect(item.form == .plain)
        #expect(CardWriter.plain(item.card, uid: nil, like: plain) == plain)
    }

    @Test("A uid is written into either form")
    func uid() throws {
        let card = try object(#"{"phones":{"p1":{"number":"1"}}}"#)
        #expect(CardWriter.plain(card, uid: "u", like: nil) == (try object(#"{"phone":"1","uid":"u"}"#)))
    }

    @Test(
        "What the plain form cannot say needs a Card",
        arguments: [
            #"{"name":{"full":"A","x":1}}"#, #"{"name":{"components":[]}}"#,
            #"{"phones":{"p1":{"number":"1","label":"x"}}}"#,
            #"{"emails":{"e1":{"address":"a","pref":1}}}"#,
            #"{"phones":{"p1":{"number":"1"}},"nicknames":{}}"#, #"{"phone":"x","name":{"full":"A"}}"#,
            #"{"name":{"full":"A"},"version":"1.0"}"#, #"{"x":1}"#,
            #"{"phones":{"a":{"number":"1"},"b":{"number":"1"}}}"#, #"{"phones":{"a":{"number":" "}}}"#,
        ]
    )
    func cannot(card: String) throws {
        #expect(CardWriter.plain(try object(card), uid: nil, like: nil) == nil)
    }
}
