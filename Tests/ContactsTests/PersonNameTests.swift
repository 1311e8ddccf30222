import Contacts
import JSON
import Testing

@Suite struct PersonNameTests {
    @Test(
        "Equal after canonical equivalence, case and white space",
        arguments: [
            ("José Álvarez", "Jose\u{301} A\u{301}lvarez"), ("ANA  holm ", "Ana\u{A0}Holm"),
            ("ÉLISE", "e\u{301}lise"),
        ]
    )
    func equal(a: String, b: String) {
        #expect(PersonName(a).equals(PersonName(b)))
        #expect(PersonName(a) == PersonName(b))
        #expect(PersonName(a).hashValue == PersonName(b).hashValue)
        #expect(PersonName(a).isCompatible(with: PersonName(b)))
    }

    @Test(
        "Compatible when one's words are in the other's, a letter standing for a word",
        arguments: [
            ("Ana", "Ana Holm"), ("Holm, Ana", "Ana Holm"), ("A. Holm", "Ana Holm"), ("A H", "Ana Holm"),
            ("Ana-Lena Holm", "lena holm"), ("", "Ana"), ("J. Álvarez", "José A\u{301}lvarez"),
            ("Hans Peter", "Hans-Peter Ott"),
            ("Ana M. Holm", "Holm Ana Maria"), ("王", "王小明"),
        ]
    )
    func compatible(a: String, b: String) {
        #expect(PersonName(a).isCompatible(with: PersonName(b)))
        #expect(PersonName(b).isCompatible(with: PersonName(a)))
    }

    @Test(
        "Incompatible names stay so",
        arguments: [
            ("Ana Holm", "Bo Holm"), ("An", "Ana"), ("B. Holm", "Ana Holm"), ("Ana Holm", "Ana Iken"),
            ("-", "Ana"), ("José", "Jose"),
        ]
    )
    func incompatible(a: String, b: String) {
        #expect(!PersonName(a).isCompatible(with: PersonName(b)))
        #expect(!PersonName(b).isCompatible(with: PersonName(a)))
    }

    @Test("Two missing names are not two equal names")
    func missing() {
        #expect(PersonName(" \t").isEmpty)
        #expect(!PersonName("").equals(PersonName("")))
    }

    @Test("The shown name is the full one, else the components joined")
    func shown() {
        #expect(
            PersonName.shown(["full": "Ana Holm", "components": [["kind": "given", "value": "X"]]])
                == "Ana Holm"
        )
        let parts: JSONValue = [["kind": "surname", "value": "Holm"], ["kind": "given", "value": "Ana"]]
        #expect(PersonName.shown(["components": parts]) == "Ana Holm")
        #expect(PersonName.shown(["full": "", "components": parts, "isOrdered": true]) == "Holm Ana")
        #expect(
            PersonName.shown([
                "isOrdered": true, "defaultSeparator": ", ",
                "components": [
                    ["kind": "surname", "value": "Ott"], ["kind": "given", "value": "Jean"],
                    ["kind": "separator", "value": "-"], ["kind": "given2", "value": "Luc"],
                ],
            ]) == "Ott, Jean-Luc"
        )
        for none in [nil, [:], ["full": " "], ["components": []], "Ana", .null] as [JSONValue?] {
            #expect(PersonName.shown(none) == nil)
        }
    }
}
