import Foundation
import JSON
import Testing

/// Contacts of others come in, and ours go out, through the command line.
@Suite("Import and export")
struct ImportTests {
    /// A file on a machine's own disk, outside of its book.
    private func write(_ text: String, _ name: String, on machine: Machine) throws -> String {
        let path = machine.stage + "/" + name
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    private func vcard(_ lines: String...) -> String {
        (["BEGIN:VCARD", "VERSION:3.0"] + lines + ["END:VCARD", ""]).joined(separator: "\r\n")
    }

    @Test("A file is rehearsed, imported, known the second time, and everywhere afterwards")
    func twice() throws {
        try World.with(["A", "B"]) { world, machines in
            let a = machines[0]
            try a.put(SampleCard(1, name: "Ana Holm", phone: "+44 20 7946 0123").text, as: "ana.json")
            try a.expectCount(1, "she is there")
            let file = try write(
                vcard("UID:v1", "FN:Ana Holm", "TEL:020 7946 0123", "EMAIL:ana@example.com")
                    + vcard("FN:Bo Dahl", "TEL:020 7946 0124")
                    + vcard("FN:Bo Dahl", "TEL:+442079460124", "NOTE:twice")
                    + vcard("FN Broken"),
                "all.vcf",
                on: a
            )
            let skipped: JSONValue = [
                ["file": .string(file), "item": 3, "line": 21, "reason": "there is no colon in this line"]
            ]
            let rehearsed = try a.cli("import", Machine.book, file, "--dry-run", "--json")
            #expect(rehearsed.json == ["added": 1, "merged": 2, "unchanged": 0, "skipped": skipped])
            #expect(rehearsed.exit == 1, "a contact was skipped")
            #expect(try a.people().count == 1, "nothing was written")

            let imported = try a.cli("import", Machine.book, file, "--json")
            #expect(imported.json == rehearsed.json, "what was foretold")
            for machine in machines {
                try machine.expectNames(["Ana Holm", "Bo Dahl"], "they are on \(machine.name)")
                try machine.expectOneWholeFileEach("each has a file")
            }
            let history = try a.ask("history", ["book": .string(Machine.book), "who": "Bo Dahl"]).array ?? []
            #expect(Set(history.map { $0["session"] }).count == 1, "one import is one session")

            try a.settle()
            let files = a.files()
            let again = try a.cli("import", Machine.book, file, "--json")
            #expect(again.json == ["added": 0, "merged": 0, "unchanged": 3, "skipped": skipped])
            try a.settle()
            #expect(a.files() == files, "nothing was written")
        }
    }

    @Test("JSContact and arrays of it are taken as well; the content tells the form, not the name")
    func forms() throws {
        try World.with(["A"]) { _, machines in
            let a = machines[0]
            let list = try write(
                "[\(SampleCard(1).text),\n{\"name\": \"Bo Dahl\", \"phone\": \"020 7946 0124\"},\n{\"name\": 7}]",
                "no-extension",
                on: a
            )
            let answer = try a.cli("import", Machine.book, list, "--json")
            #expect(answer.json?["added"] == 2)
            let wrong = answer.json?["skipped"]?.array?.first
            #expect(wrong?["item"] == 2 && wrong?["reason"] == "name must be a string, not a number")
            try a.expectNames(["Bo Dahl", "Person 001"], "both are there")
            #expect(try a.cli("import", Machine.book, "/no/such/file").exit == 1)
            let garbage = try a.cli("import", Machine.book, try write("hello", "garbage", on: a))
            #expect(garbage.exit == 1 && garbage.out.contains("neither vCard nor JSContact"), "\(garbage)")
        }
    }

    @Test("What was exported comes back as unchanged: merged people, names that lost and conflicts included")
    func ownExport() throws {
        try World.with(["A"]) { _, machines in
            let a = machines[0]
            // Two records of one person, the one that lends its uid with the name that lost, and a third of one name.
            for (uid, name) in [("u1", "Ana Holm"), ("u2", "Bo Dahl")] {
                let cards = vcard(
                    "UID:\(uid)",
                    "FN:\(name)",
                    "TEL:020 7946 0123",
                    "EMAIL:\(uid)@example.com",
                    "NOTE:of \(uid)"
                )
                try a.must("import", Machine.book, try write(cards, "\(uid).vcf", on: a))
            }
            try a.must("import", Machine.book, try write(vcard("UID:u3", "FN:Cy Ek"), "u3.vcf", on: a))
            #expect(try a.people().count == 2)
            try a.settle()
            let files = a.files()
            for format in ["vcard4", "jscontact"] {
                let out = a.stage + "/out." + format
                try a.must("export", Machine.book, "--format", format, "--out", out)
                for more in [["--dry-run"], []] {
                    let answer = try a.cli(["import", Machine.book, out, "--json"] + more)
                    #expect(
                        answer.json == ["added": 0, "merged": 0, "unchanged": 2, "skipped": []],
                        "\(answer)"
                    )
                }
            }
            try a.settle()
            #expect(a.files() == files, "nothing was written")
            // News for a merged person finds it under either name, and says nothing anew that it says already.
            let more = vcard("UID:u1", "FN:Bo Dahl", "TEL:020 7946 0124")
            let added = try a.cli("import", Machine.book, try write(more, "more.vcf", on: a), "--json")
            #expect(added.json?["merged"] == 1, "\(added)")
            #expect(try a.people().count == 2)
        }
    }

    @Test("Two vCards of one person, written by two programs, make one contact and no conflict")
    func programs() throws {
        try World.with(["A"]) { _, machines in
            let a = machines[0]
            for (uid, program) in [("u1", "-//A//"), ("u2", "-//B//")] {
                let card = vcard(
                    "UID:\(uid)",
                    "PRODID:\(program)",
                    "FN:Ana Holm",
                    "TEL:020 7946 0123",
                    "X-BOTH:same",
                    "X-OWN:\(uid)"
                )
                try a.must("import", Machine.book, try write(card, uid + ".vcf", on: a))
            }
            #expect(try a.people().count == 1)
            #expect(try a.cli("conflicts", Machine.book, "--json").json == [])
            let out = try a.must("export", Machine.book).out
            for line in ["X-BOTH:same", "X-OWN:u1", "X-OWN:u2"] {
                #expect(out.components(separatedBy: line + "\r\n").count == 2, "\(line) once in \(out)")
            }
        }
    }

    @Test("Somebody else under a known uid is another contact, and stays one")
    func clash() throws {
        try World.with(["A"]) { _, machines in
            let a = machines[0]
            try a.must("import", Machine.book, try write(vcard("UID:u", "FN:Ana Holm"), "1.vcf", on: a))
            let other = try write(vcard("UID:u", "FN:Bo Dahl", "TEL:020 7946 0124"), "2.vcf", on: a)
            for command in [["import", Machine.book, other, "--dry-run"], ["import", Machine.book, other]] {
                #expect(try a.cli(command + ["--json"]).json?["added"] == 1)
            }
            try a.expectNames(["Ana Holm", "Bo Dahl"], "both are there")
            #expect(try a.cli("import", Machine.book, other, "--json").json?["unchanged"] == 1)
            let more = try write(vcard("UID:u", "FN:Ana Holm", "EMAIL:ana@example.com"), "3.vcf", on: a)
            #expect(try a.cli("import", Machine.book, more, "--json").json?["merged"] == 1)
            try a.expectNames(["Ana Holm", "Bo Dahl"], "still two")
        }
    }

    @Test("A large file, and a photo of some megabytes, go in while others are answered, and come out again")
    func large() throws {
        try World.with(["A"]) { _, machines in
            let a = machines[0]
            let photo = String(repeating: "/9j/4AAQSkZJRgABAQAAAQAB", count: 1 << 16)  // 1.5 MiB
            let text =
                (1...300).map { vcard("UID:u\($0)", "FN:Person \($0)", "TEL:+44 20 7946 \(1000 + $0)") }
                .joined()
                + vcard("UID:photo", "FN:Photo", "PHOTO;ENCODING=b;TYPE=JPEG:\(photo)")
            let file = try write(text, "large.vcf", on: a)
            let answer = try a.cli(["import", Machine.book, file, "--json"], within: 60)
            #expect(answer.json == ["added": 301, "merged": 0, "unchanged": 0, "skipped": []], "\(answer)")
            let out = a.stage + "/out.vcf"
            let exported = try a.cli(
                ["export", Machine.book, "--format", "vcard3", "--out", out, "--json"],
                within: 60
            )
            #expect(exported.json == ["contacts": 301, "file": .string(out), "losses": []], "\(exported)")
            let unfolded = try String(contentsOfFile: out, encoding: .utf8).replacingOccurrences(
                of: "\r\n ",
                with: ""
            )
            #expect(unfolded.contains("PHOTO;ENCODING=b;TYPE=JPEG:\(photo)\r\n"))
            #expect(unfolded.components(separatedBy: "BEGIN:VCARD").count == 302)
            #expect(try a.cli(["import", Machine.book, out, "--json"], within: 60).json?["unchanged"] == 301)
        }
    }

    @Test("One contact or all, as vCard, JSContact or a phonebook; what a form cannot say is told")
    func export() throws {
        try World.with(["A"]) { _, machines in
            let a = machines[0]
            let card =
                #"{"@type": "Card", "version": "1.0", "uid": "u1", "name": {"full": "Ana & Co"}, "phones": {"x": {"#
                + #""number": "020 7946 0123", "features": {"mobile": true}}}, "example.com:x": 1}"#
            try a.put(card, as: "ana.json")
            try a.put(SampleCard(2).text, as: "two.json")
            try a.expectCount(2, "both are read")
            let vcard4 = try a.must("export", Machine.book, "Ana", "&", "Co")
            #expect(
                vcard4.out.split(separator: "\r\n") == [
                    "BEGIN:VCARD", "VERSION:4.0", "UID:u1", "FN:Ana & Co",
                    "TEL;TYPE=cell;PROP-ID=x:020 7946 0123",
                    "JSPROP;JSPTR=\"example.com:x\":1", "END:VCARD",
                ]
            )
            let vcard3 = try a.must("export", Machine.book, "Ana & Co", "--format", "vcard3")
            #expect(vcard3.err == "not exported: Ana & Co: example.com:x: vCard 3.0 has no place for it\n")
            let cards = try a.must("export", Machine.book, "--format", "jscontact").json?.array
            #expect(cards?.map { $0["uid"]?.string } == [SampleCard(2).uid, "u1"].sorted())
            for (maker, entry) in [
                ("yealink", "<Name>Ana &amp; Co</Name><Telephone>02079460123</Telephone>"),
                ("grandstream", "<FirstName>Ana &amp; Co</FirstName><Phone type=\"Mobile\">"),
                ("cisco", "<Name>Ana &amp; Co</Name><Telephone>02079460123</Telephone>"),
            ] {
                let book = try a.must("export", Machine.book, "--phonebook", maker)
                #expect(book.out.contains(entry), "\(book.out)")
            }
            #expect(try a.cli("export", Machine.book, "Nobody").exit == 1)
            #expect(try a.cli("export", Machine.book, "--format", "csv").exit == 2)
            #expect(try a.cli("export", Machine.book, "--out", "/no/such/place").exit == 1)
        }
    }
}
