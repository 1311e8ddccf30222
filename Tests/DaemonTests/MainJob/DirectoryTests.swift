import Foundation
import JSON
import Testing

/// What people do in the directory of a book.
@Suite("A book's directory")
struct DirectoryTests {
    @Test("A contact dropped into the directory on one machine appears as a file on the other")
    func dropped() throws {
        try World.with(["A", "B"]) { _, machines in
            let card = SampleCard(1, name: "Ana Holm")
            try machines[0].put(card.text, as: "ana.json")
            try machines[1].expectNames(["Ana Holm"], "the contact arrives")
            try machines[1].expectOneWholeFileEach("it has a file")
            let file = try machines[1].person(card.uid)?.file ?? ""
            let onDisk = try parsed(machines[1].bytes(of: file) ?? [])
            #expect(card.value.difference(to: onDisk) == nil)
            #expect(file == "Ana Holm.json")
            #expect(Machine.mode(of: machines[1].path(file)) == 0o600)
            #expect(machines[0].bytes(of: "ana.json") == Array(card.text.utf8), "the user's bytes stay")
        }
    }

    @Test("One person with another spelling of the number becomes one contact in one file, wherever added")
    func otherSpelling() throws {
        try World.with(["A", "B"]) { world, machines in
            try machines[0].put(
                SampleCard(1, name: "Ana Holm", phone: "+44 20 7946 0123").text,
                as: "ana.json"
            )
            try machines[1].expectNames(["Ana Holm"], "the contact arrives")
            try machines[1].put(#"{"name": "Ana Holm", "phone": "(020) 7946-0123"}"#, as: "again.json")
            try world.rest()
            for machine in machines {
                try machine.expectNames(["Ana Holm"], "one contact")
                try machine.expectOneWholeFileEach("one file")
                #expect(try machine.people().first?.phones.map(\.value) == ["+442079460123"])
            }
            try world.expectEqual("both show the same")
        }
    }

    @Test("However an editor saves, the edit is taken whole, and nothing else is", arguments: Save.allCases)
    func editorSaves(way: Save) throws {
        try World.with(["A", "B"]) { world, machines in
            var card = SampleCard(1, name: "Ana Holm")
            try machines[0].put(card.text, as: "ana.json")
            try machines[1].expectNames(["Ana Holm"], "the contact arrives")
            let watch = DeletionWatch([("B", machines[1].directory)])
            defer { _ = watch.stop() }
            for edit in 1...5 {
                card.note = "edit \(edit)"
                try machines[0].save(card.text, as: "ana.json", way)
            }
            try eventually("the last edit arrives") {
                try machines[1].person(card.uid).map { card.value.difference(to: .object($0.card)) }
                    ?? "nobody"
            }
            try world.rest(Window.absence)
            #expect(watch.stop() == [])
            #expect(machines[0].fileNames == ["ana.json"])
            #expect(machines[0].bytes(of: "ana.json") == Array(card.text.utf8))
            #expect(try machines[0].bookStatus()["setAside"]?.array?.count == 0)
        }
    }

    @Test(
        "A renamed file is the same contact under another file name, and the other machine sees nothing of it"
    )
    func renamed() throws {
        try World.with(["A", "B"]) { world, machines in
            let card = SampleCard(1)
            try machines[0].put(card.text, as: "old.json")
            try machines[0].put(SampleCard(2).text, as: "other.json")
            try machines[1].expectCount(2, "both arrive")
            try world.rest()
            let before = machines[1].files()
            try FileManager.default.moveItem(
                atPath: machines[0].path("old.json"),
                toPath: machines[0].path("new.json")
            )
            try eventually("the contact's file is the new one") {
                let file = try machines[0].person(card.uid)?.file
                return file == "new.json" ? nil : "it is \(file ?? "none")"
            }
            try world.rest(Window.absence)
            #expect(machines[0].fileNames == ["new.json", "other.json"])
            #expect(machines[1].files() == before)
            try machines[1].expectCount(2, "nobody is gone")
        }
    }

    @Test("A touched file, and one saved with the same bytes, writes and sends nothing")
    func touched() throws {
        try World.with(["A", "B"]) { world, machines in
            let card = SampleCard(1)
            try machines[0].put(card.text, as: "a.json")
            try machines[1].expectCount(1, "it arrives")
            try world.rest()
            for _ in 0..<5 { try machines[0].touch("a.json") }
            try machines[0].overwrite(Array(card.text.utf8), as: "a.json")
            try world.expectSilence("after a touch")
        }
    }

    @Test("A removed file removes the contact everywhere; the last one of one too")
    func removed() throws {
        try World.with(["A", "B"]) { _, machines in
            try machines[0].put(SampleCard(1, name: "Ana Holm").text, as: "a.json")
            try machines[1].expectNames(["Ana Holm"], "it arrives")
            try machines[0].settle()
            try machines[0].remove("a.json")
            for machine in machines {
                try machine.expectNames([], "it is gone")
                try machine.expectOneWholeFileEach("no file is left")
            }
        }
    }

    @Test("A directory that is away deletes nothing, says so, and goes on when it is back")
    func directoryAway() throws {
        try World.with(["A", "B"]) { world, machines in
            let names = (1...8).map { SampleCard($0).name }
            for index in 1...8 { try machines[0].put(SampleCard(index).text, as: "\(index).json") }
            try machines[1].expectNames(names, "all arrive")
            try world.rest()
            let away = machines[0].home + "/away"
            try FileManager.default.moveItem(atPath: machines[0].directory, toPath: away)
            try eventually("the book is held") {
                try machines[0].bookStatus()["state"]?.string == "held" ? nil : "it is not"
            }
            // Under an unmounted directory lies an empty one.
            try FileManager.default.createDirectory(
                atPath: machines[0].directory,
                withIntermediateDirectories: false
            )
            try machines[0].restart()
            try world.rest(Window.absence)
            for machine in machines { try machine.expectNames(names, "all are kept") }
            #expect(machines[0].fileNames == [], "nothing is written into a directory that is not ours")
            #expect(machines[1].fileNames.count == 8)
            try FileManager.default.removeItem(atPath: machines[0].directory)
            try FileManager.default.moveItem(atPath: away, toPath: machines[0].directory)
            try eventually("the book is released") {
                try machines[0].bookStatus()["state"]?.string != "held" ? nil : "it is held"
            }
            try machines[0].put(SampleCard(9).text, as: "9.json")
            try machines[1].expectCount(9, "what is added afterwards arrives")
        }
    }

    @Test("Many files that vanish at once are held, and come back as if nothing had been")
    func brake() throws {
        try World.with(["A", "B"]) { world, machines in
            for index in 1...20 { try machines[0].put(SampleCard(index).text, as: "\(index).json") }
            try machines[1].expectCount(20, "all arrive")
            try world.rest()
            for index in 1...15 { try machines[0].remove("\(index).json") }
            try eventually("the book is held") {
                try machines[0].bookStatus()["state"]?.string == "held" ? nil : "it is not"
            }
            try world.rest(Window.absence)
            try machines[1].expectCount(20, "nothing is deleted elsewhere")
            try machines[0].must("resume", Machine.book, "--restore")
            try machines[0].expectOneWholeFileEach("the files are back")
            for machine in machines { try machine.expectCount(20, "all are there") }
        }
    }

    @Test("A group's members can be found on every machine, by whatever uid the group knows them")
    func groupMembers() throws {
        try World.with(["A", "B"]) { world, machines in
            let first = SampleCard(1, name: "Yvo Arndt", phone: "+44 20 7946 0402")
            let twin = SampleCard(3, name: "Yvo Arndt", phone: "020 7946 0402")
            let second = SampleCard(2, name: "Zita Bahr")
            var group = SampleCard(4, name: "Choir")
            group.phones = []
            group.members = [twin.uid, second.uid, "urn:uuid:99999999-0000-4000-8000-000000000000"]
            for (index, card) in [group, first, twin, second].enumerated() {
                try machines[index % 2].put(card.text, as: "\(index).json")
            }
            for machine in machines {
                try machine.expectNames(["Choir", "Yvo Arndt", "Zita Bahr"], "three contacts")
            }
            try world.expectEqual("both show the same")
            let people = try machines[1].people()
            let shown = people.first { $0.name == "Choir" }
            let members = shown?.card["members"]?.object?.keys ?? []
            #expect(Set(members) == Set(group.members))
            let led = members.compactMap { uid in people.first { $0.isKnown(by: uid) }?.name }
            #expect(led.sorted() == ["Yvo Arndt", "Zita Bahr"])
        }
    }
}
