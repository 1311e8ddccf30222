import Foundation
import JSON

extension CaseRun {
    /// What must hold for the case as a whole.
    func judgeEnd(deletions: [String], outsideBefore: Set<String>) throws {
        let expected = given.expected
        for machine in machines where machine.isRunning { try look(machine, machine.status()) }
        if let first = deletions.first { throw Failure("a deletion was sent: \(first)") }
        for report in expected.reported ?? [] { try expectReport(report) }
        if let reported = expected.reported, reported.isEmpty {
            for machine in machines {
                let book = try machine.bookStatus()
                let said = (book["setAside"]?.array ?? []) + (book["clashes"]?.array ?? [])
                if let first = said.first {
                    throw Failure(
                        "reported on \(machine.name), but nothing is wrong: \(JSONWriter.text(first))"
                    )
                }
            }
        }
        for name in expected.ignored {
            if setAside[name] != nil { throw Failure("\(name) is reported, must be ignored") }
            try expectUntouched(name, input(name), on: machine("A"))
        }
        for machine in machines where machine.isRunning {
            try expectNever(on: machine)
            try eventually("files of \(machine.name)", within: 5) { try strayFile(on: machine) }
        }
        if expected.filesUntouched {
            for (name, files) in own {
                for (file, bytes) in files { try expectUntouched(file, bytes, on: machine(name)) }
            }
        }
        let files = try machine("A").fileNames
        if expected.oneFileLeft, files.count != 1 {
            throw Failure("one file should be left, there are \(files)")
        }
        if expected.noWriteOutside, let first = namesOutside().subtracting(outsideBefore).min() {
            throw Failure("written outside: \(first)")
        }
        if let revisions = expected.revisions { try expectRevisions(revisions) }
    }

    private func expectReport(_ report: Report) throws {
        switch report {
        case .file(let file), .unreadable(let file), .items(let file, _):
            guard let said = setAside[file] else {
                throw Failure("not reported: \(file) (set aside: \(setAside.keys.sorted()))")
            }
            guard said.allSatisfy({ !$0.reason.isEmpty }) else {
                throw Failure("\(file) is set aside without a reason")
            }
            if case .items(_, let items) = report, Set(said.map(\.item)) != Set(items.map(Optional.some)) {
                throw Failure(
                    "\(file): want items \(items.sorted()) set aside, have \(Set(said.compactMap(\.item)).sorted())"
                )
            }
        case .clash(let files):
            guard clashes.contains(where: files.isSubset(of:)) else {
                throw Failure("not reported: a clash of \(files.sorted()) (clashes: \(clashes.prefix(3)))")
            }
        case .directoryGone:
            guard held.contains("A") else {
                throw Failure("the directory was away, but the book was never held")
            }
        }
    }

    private func expectNever(on machine: Machine) throws {
        let expected = given.expected
        let list = try machine.ask("list", ["book": .string(Machine.book)])
        var texts = list.strings.map { ("list", $0) }
        for file in machine.fileNames {
            // Only what the daemon wrote: the user's own bytes may say anything.
            guard let bytes = machine.bytes(of: file), bytes != own[machine.name]?[file],
                let value = try? parsed(bytes)
            else { continue }
            texts += value.strings.map { (file, $0) }
        }
        for word in expected.never {
            for (place, text) in texts where text.contains(word) {
                throw Failure("never \(word), but \(place) on \(machine.name) says \(text.shortened(to: 80))")
            }
        }
        for person in try machine.people() {
            if let name = person.name, expected.neverNames.contains(name) {
                throw Failure("a contact is named \(name)")
            }
            let numbers = person.phones.flatMap {
                [$0.key ?? "", $0.number.filter { !$0.isWhitespace && $0 != "-" }]
            }
            for number in expected.neverFor[person.name ?? ""] ?? [] where numbers.contains(number) {
                throw Failure("\(person.brief) must not have \(number)")
            }
        }
    }

    /// Each contact is kept in a file, and each readable file keeps a contact.
    private func strayFile(on machine: Machine) throws -> String? {
        let book = try machine.bookStatus()
        guard book["state"]?.string != "held" else { return nil }
        let people = try machine.people()
        for person in people where person.file.map(machine.exists) != true {
            return "\(person.brief) has no file"
        }
        var accounted = Set(people.compactMap(\.file))
        accounted.formUnion((book["setAside"]?.array ?? []).compactMap { $0["file"]?.string })
        accounted.formUnion((book["clashes"]?.array ?? []).flatMap { $0["files"]?.texts ?? [] })
        let stray = machine.fileNames.filter { !accounted.contains($0) && machine.isPlainFile($0) }
        return stray.isEmpty ? nil : "\(stray.prefix(4).joined(separator: ", ")) hold no contact of their own"
    }

    private func expectUntouched(_ file: String, _ bytes: [UInt8], on machine: Machine) throws {
        guard let have = machine.bytes(of: file) else {
            throw Failure("\(file) is gone from \(machine.name)'s directory: \(machine.fileNames.prefix(6))")
        }
        if have != bytes { throw Failure("\(file) was changed on \(machine.name)") }
    }

    /// No byte went to the onlooker after it had all, and the history knows no more than it should.
    private func expectRevisions(_ count: Int) throws {
        if let before = wireAtFirstRest {
            for (way, bytes) in world.wire where bytes != before[way] {
                throw Failure("unchanged content was sent: \(bytes - (before[way] ?? 0)) bytes \(way)")
            }
        }
        let a = try machine("A")
        for person in try a.people() {
            let history = try a.ask("history", ["book": .string(Machine.book), "who": .string(person.uid)])
            let times = Set((history.array ?? []).map { $0["time"]?.string ?? JSONWriter.text($0) })
            if times.count != count {
                throw Failure("the history of \(person.brief) has \(times.count) revisions, want \(count)")
            }
        }
    }
}
