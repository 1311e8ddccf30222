import Foundation
import JSON

extension CaseRun {
    /// Waits until a machine's answer is the right one; gives up early when nothing moves any more.
    func check(_ machine: Machine, _ label: String) throws {
        let wanted = try given.expected.check(label, policy: variant.policy)
        let deadline = Deadline(Patience.answer)
        var unmoved = Deadline(Patience.unmoved)
        var last: Machine.Mark?
        while true {
            let mark = try machine.mark { try look(machine, $0) }.mark
            guard let why = try difference(machine, wanted) else { return }
            if mark != last {
                last = mark
                unmoved = Deadline(Patience.unmoved)
            }
            if deadline.isOver || unmoved.isOver {
                throw Failure("check \(label) on \(machine.name): \(why)\(note)")
            }
            waitALittle(0.1)
        }
    }

    private func difference(_ machine: Machine, _ wanted: Expectation.Check) throws -> String? {
        let people = try machine.people()
        if let contacts = wanted.contacts {
            let isReadable: (Person, String) throws -> Bool = {
                try self.isReadable($1, from: $0, on: machine)
            }
            if let why = try DaemonTests.difference(wanted: contacts, people: people, isReadable: isReadable)
            {
                return why
            }
        }
        if let file = wanted.equalToFile, let why = try difference(people, toCardIn: file, on: machine) {
            return why
        }
        if wanted.sameIDsOnAll,
            let why = try world.difference(between: machines.filter(\.isRunning), cards: false)
        {
            return why
        }
        if let label = wanted.sameIDsAs {
            guard let noted = notedIDs[label] else { throw Failure("ids \(label) were never noted") }
            let have = try ids(on: machine)
            if have != noted { return "uids changed: \(noted) became \(have)" }
        }
        return nil
    }

    /// Equal as JSON values, in the answer and on the disk.
    private func difference(_ people: [Person], toCardIn file: String, on machine: Machine) throws -> String?
    {
        let card = try parsed(input(file))
        guard people.count == 1, let person = people.first, card["uid"]?.string == person.uid else {
            return "want the contact of \(file) alone, have \(people.map(\.brief))"
        }
        if let why = card.difference(to: .object(person.card)) { return "card: \(why)" }
        guard let name = person.file, let bytes = machine.bytes(of: name) else {
            return "\(person.brief) has no file"
        }
        guard let onDisk = try? parsed(bytes) else { return "\(name) is no JSON" }
        return card.difference(to: onDisk).map { "\(name): \($0)" }
    }

    /// Whether a text can still be read from a person: in the card, the sources, or the file.
    private func isReadable(_ text: String, from person: Person, on machine: Machine) throws -> Bool {
        let numbers = person.phones.map(\.number)
        if (JSONValue.object(person.card).strings + numbers).contains(where: { $0.contains(text) }) {
            return true
        }
        let sources = try machine.ask(
            "show",
            ["book": .string(Machine.book), "who": .string(person.uid), "sources": true]
        )
        if sources.strings.contains(where: { $0.contains(text) }) { return true }
        guard let file = person.file, let bytes = machine.bytes(of: file), let value = try? parsed(bytes)
        else { return false }
        return value.strings.contains { $0.contains(text) }
    }
}
