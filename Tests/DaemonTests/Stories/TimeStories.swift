import Foundation
import JSON
import Testing

/// Machines that were away for long, first runs, and configurations that change.
@Suite("Stories of time")
struct TimeStories {
    @Test(
        "A machine away for a year brings nothing back but what was edited there apart from the deletion",
        .enabled(if: Executables.clockShifter != nil, "needs libfaketime, and no sanitizer")
    )
    func awayForAYear() throws {
        var options = MachineOptions()
        options.hasOwnClock = true
        try World.with(["A", "B"], options) { world, machines in
            let (a, b) = (machines[0], machines[1])
            for machine in machines { try machine.setClock("-366d") }
            for index in 1...8 { try a.put(SampleCard(index).text, as: "\(index).json") }
            try b.expectCount(8, "all arrive")
            try world.rest()
            world.takeOffline(b)
            for index in 1...3 { try a.must("remove", Machine.book, SampleCard(index).uid) }
            try a.expectCount(5, "they are deleted")
            var edited = SampleCard(2)
            edited.note = "edited while away"
            guard let file = try b.person(edited.uid)?.file else { throw Failure("no file") }
            try b.put(edited.text, as: file)
            try waitUntil("B takes the edit") { try b.person(edited.uid)?.card["notes"] != nil }
            try b.stop()
            // Half a year later A has forgotten what the deleted ones said, and has other contacts.
            try a.setClock("-180d")
            try a.restart()
            try waitUntil("they are no more in the trash") {
                try a.must("trash", Machine.book, "--json").json?.array?.isEmpty == true
            }
            try a.must("add", Machine.book, "--name", "New One", "--phone", "020 7946 0777")
            try a.setClock("+0")
            try a.restart()
            try b.setClock("+0")
            try b.start()
            try world.bringOnline(b)
            try world.waitConnected()
            let names = (["New One"] + [2, 4, 5, 6, 7, 8].map { SampleCard($0).name }).sorted()
            for machine in machines { try machine.expectNames(names, "only what was edited is back") }
            try world.rest(Window.absence)
            for machine in machines {
                try machine.expectNames(names, "and it stays so")
                let card = try machine.person(edited.uid)?.card
                #expect(edited.value.difference(to: .object(card ?? JSONObject())) == nil, "with all it had")
                try machine.expectOneWholeFileEach("one file each")
            }
            try world.expectEqual("both show the same")
            #expect(try a.must("verify", Machine.book, "--json").json?["equal"] == .bool(true))
        }
    }

    @Test("A first run on two full directories unites them, and nobody is deleted")
    func firstRun() throws {
        try World.with { world in
            let (a, b) = try (world.add("A"), world.add("B"))
            for index in 1...6 { try a.put(SampleCard(index).text, as: "\(index).json") }
            for index in 4...9 { try b.put(SampleCard(index).text, as: "b\(index).json") }
            try world.connect()
            for machine in world.machines { try machine.start() }
            try world.waitConnected()
            for machine in world.machines { try machine.expectCount(9, "all are there, and once") }
            try world.rest(Window.absence)
            try world.expectEqual("both show the same")
            for machine in world.machines {
                try machine.expectCount(9, "nobody is deleted")
                try machine.expectOneWholeFileEach("one file each")
                #expect(try machine.must("trash", Machine.book, "--json").json?.array?.isEmpty == true)
            }
        }
    }

    /// What a person changes in the configuration of A while its daemon is stopped.
    enum Change: CaseIterable {
        case settings, policy, otherDirectory, movedDirectory, otherBook
    }

    @Test("A changed configuration deletes nobody, here or elsewhere", arguments: Change.allCases)
    func changed(_ change: Change) throws {
        try World.with(["A", "B"]) { world, machines in
            let (a, b) = (machines[0], machines[1])
            for index in 1...6 {
                let phone = index < 3 ? "020 7946 0099" : "020 7946 0\(SampleCard(index).phones[0].suffix(3))"
                try a.put(SampleCard(index, phone: phone).text, as: "\(index).json")
            }
            // Two share a number: one contact under this policy, two under another.
            for machine in machines { try machine.expectCount(5, "all arrive") }
            try world.rest()
            try a.stop()
            var count = 5
            switch change {
            case .settings:
                a.options.region = "DE"
                a.options.bookLines = ["keep-deleted = 1", "deletion-limit = \"1%\""]
            case .policy:
                a.options.policy = "careful"
                count = 6
            case .otherDirectory: a.directory = a.home + "/elsewhere/contacts"
            case .movedDirectory:
                let to = a.home + "/elsewhere/moved"
                try FileManager.default.moveItem(atPath: a.directory, toPath: to)
                a.directory = to
            case .otherBook: break
            }
            try a.writeConfiguration()
            if change == .otherBook {
                let text = try String(contentsOfFile: a.configuration, encoding: .utf8)
                try text.replacing("[books.personal]", with: "[books.other]")
                    .replacing("books = [\"personal\"]", with: "books = [\"other\"]")
                    .write(toFile: a.configuration, atomically: true, encoding: .utf8)
            }
            if change == .otherDirectory {
                try FileManager.default.createDirectory(
                    atPath: a.directory,
                    withIntermediateDirectories: false
                )
            }
            try a.start()
            if change == .otherBook {
                try eventually("the other book has who is in the directory") {
                    let list = try a.ask("list", ["book": "other"]).array?.count
                    return list == 5 ? nil : "\(list ?? 0)"
                }
            } else {
                try world.waitConnected()
                try a.expectCount(count, "they are all there")
            }
            try b.settle(Window.absence)
            try b.expectCount(5, "nobody is deleted elsewhere")
            #expect(try b.must("trash", Machine.book, "--json").json?.array?.isEmpty == true)
            switch change {
            case .otherBook:
                #expect(a.fileNames.count == 5)
            case .otherDirectory:
                // An empty directory in the place of a full one: a person decides.
                #expect(try a.bookStatus()["state"]?.string == "held")
                #expect(a.fileNames.isEmpty)
                try a.must("resume", Machine.book, "--restore")
                try a.expectOneWholeFileEach("it is filled")
                try a.expectCount(5, "with all")
            default:
                #expect(try a.bookStatus()["state"]?.string == "idle")
                try a.expectOneWholeFileEach("one file each")
            }
        }
    }
}
