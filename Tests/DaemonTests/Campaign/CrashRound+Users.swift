import CLinux
import Foundation
import Glibc
import JSON
import TestSupport

/// What users do: a step, and its line in the log.
extension CrashRound {
    enum Step: CaseIterable {
        case addFile, editFile, removeFile, renameFile, swapFiles, touchFile
        case add, remove, restore, merge, unmerge

        /// Whether it needs a daemon that answers.
        var isCommand: Bool {
            switch self {
            case .addFile, .editFile, .removeFile, .renameFile, .swapFiles, .touchFile: false
            case .add, .remove, .restore, .merge, .unmerge: true
            }
        }

        /// The more common ones are here more than once.
        static let some: [Step] = [
            .addFile, .addFile, .editFile, .editFile, .editFile, .editFile, .removeFile, .removeFile,
            .renameFile, .swapFiles, .touchFile, .add, .add, .remove, .restore, .merge, .merge, .unmerge,
        ]
    }

    /// One of all things that users do, on a machine that may be down.
    func act(_ machine: Machine) throws {
        let steps = Step.some.filter { machine.isRunning || !$0.isCommand }
        try act(machine, steps[random.below(steps.count)])
    }

    func act(_ machine: Machine, _ step: Step) throws {
        switch step {
        case .addFile: try addFile(machine)
        case .editFile: try editFile(machine)
        case .removeFile: removeFile(machine)
        case .renameFile: renameFile(machine)
        case .swapFiles: swapFiles(machine)
        case .touchFile: touchFile(machine)
        case .add: add(machine)
        case .remove: remove(machine)
        case .restore: restore(machine)
        case .merge: merge(machine)
        case .unmerge: unmerge(machine)
        }
    }

    // MARK: Files

    func addFile(_ machine: Machine) throws {
        let number = log.contacts.count
        let name = "Person \(log.mint())"
        let (email, note) = (log.mint(), log.mint())
        let phone = "+44 20 7946 \(1000 + number)".replacing(" 1", with: " 0")
        var card = SampleCard(number, name: name, phone: phone)
        card.email = email + "@example.org"
        var values: Set = [email, phone]
        let text: String
        switch random.below(4) {
        case 0:
            let plain: JSONValue = [
                "name": .string(name), "phone": .string(phone), "email": .string(email + "@example.org"),
            ]
            text = JSONWriter.text(plain)
        case 1:
            card.note = note
            values.insert(note)
            var object = card.value.object ?? JSONObject()
            object["uid"] = nil
            text = JSONWriter.text(.object(object))
        default:
            card.note = note
            values.insert(note)
            text = card.text
        }
        log.note("\(machine.name): add \(name) in a file")
        if random.chance(0.2) {
            try machine.overwrite(Array(text.utf8), as: "new-\(number).json")
        } else {
            try machine.put(text, as: "new-\(number).json")
        }
        log.add(name: name, values: values, isSure: true)
    }

    private func editFile(_ machine: Machine) throws {
        guard let (contact, file, before) = someFile(machine, { _ in true }),
            var card = (try? parsed(before))?.object
        else { return }
        let value = log.mint()
        if card["@type"] == nil {
            card["email"] = .string(value + "@example.org")
        } else if log.unions[log.contacts[contact].group] == nil, random.chance(0.6) {
            card["notes"] = ["n1": ["note": .string(value)]]
        } else {
            var emails = card["emails"]?.object ?? JSONObject()
            emails["x" + value] = ["address": .string(value + "@example.org")]
            card["emails"] = .object(emails)
        }
        let after = JSONWriter.text(.object(card))
        let way = random.below(8)
        log.note("\(machine.name): edit \(log.contacts[contact].name) in \(file) to \(value) (way \(way))")
        do {
            switch way {
            case 0: try machine.save(after, as: file, .inTwoWrites)
            case 1: try machine.save(after, as: file, .withBackup)
            case 2: try machine.overwrite(Array(after.utf8), as: file)
            default: try machine.put(after, as: file)
            }
        } catch  where way == 1 && !machine.exists(file) {
            // It went away before it could be moved aside: nothing was saved.
            return
        }
        log.edit(contact, before: before, after: after, new: [value])
    }

    private func removeFile(_ machine: Machine) {
        guard log.removals < 5, let (contact, file, _) = someFile(machine, isRemovable),
            unsafe unlink(machine.path(file)) == 0
        else { return }
        log.note("\(machine.name): remove \(log.contacts[contact].name) in \(file)")
        log.remove(contact, isSure: true)
    }

    private func renameFile(_ machine: Machine) {
        guard let (contact, file, _) = someFile(machine, { _ in true }) else { return }
        let new = "renamed-\(random.below(1000)).json"
        log.note("\(machine.name): rename \(file) of \(log.contacts[contact].name) to \(new)")
        unsafe contactsync_rename(
            AT_FDCWD,
            machine.path(file),
            machine.path(new),
            CInt(CONTACTSYNC_RENAME_NOREPLACE.rawValue)
        )
    }

    private func swapFiles(_ machine: Machine) {
        guard let (_, one, _) = someFile(machine, { _ in true }),
            let (_, other, _) = someFile(machine, { _ in true }), one != other
        else { return }
        log.note("\(machine.name): swap \(one) and \(other)")
        unsafe contactsync_rename(
            AT_FDCWD,
            machine.path(one),
            machine.path(other),
            CInt(CONTACTSYNC_RENAME_EXCHANGE.rawValue)
        )
    }

    private func touchFile(_ machine: Machine) {
        guard let (_, file, _) = someFile(machine, { _ in true }) else { return }
        log.note("\(machine.name): touch \(file)")
        try? machine.touch(file)
    }

    // MARK: Commands

    private func add(_ machine: Machine) {
        let number = log.contacts.count
        let name = "Person \(log.mint())"
        let email = log.mint()
        let phone = "+44 20 7946 \(1000 + number)".replacing(" 1", with: " 0")
        let isSure = tell(
            machine,
            "add",
            [
                "name": .string(name), "phone": .string(phone), "email": .string(email + "@example.org"),
            ],
            "\(name)"
        )
        if isSure != false { log.add(name: name, values: [email, phone], isSure: isSure == true) }
    }

    private func remove(_ machine: Machine) {
        guard log.removals < 5, let contact = some(isRemovable) else { return }
        let name = log.contacts[contact].name
        let isSure = tell(machine, "remove", ["who": .string(name)], name)
        if isSure != false { log.remove(contact, isSure: isSure == true) }
    }

    private func restore(_ machine: Machine) {
        guard let contact = some({ $0.presence == .gone && !$0.isRemoved }) else { return }
        let name = log.contacts[contact].name
        let isSure = tell(machine, "restore", ["who": .string(name)], name)
        if isSure != false { log.restore(contact, isSure: isSure == true) }
    }

    private func merge(_ machine: Machine) {
        func fits(_ contact: UserLog.Contact) -> Bool {
            contact.presence == .there && !contact.isRemoved && log.unions[contact.group] == nil
        }
        guard let a = some(fits), let b = some(fits), a != b else { return }
        let names = [log.contacts[a].name, log.contacts[b].name]
        let isSure = tell(
            machine,
            "merge",
            ["who": .array(names.map { .string($0) })],
            names.joined(separator: " and ")
        )
        if isSure != false { log.merge(a, b, isSure: isSure == true) }
    }

    private func unmerge(_ machine: Machine) {
        guard let contact = some({ log.unions[$0.group] == .one }),
            let list = try? LineClient(path: machine.socket)
                .ask("list", ["book": .string(Machine.book)], within: 1),
            let person = list.array?.first(where: {
                JSONWriter.text($0).contains(log.contacts[contact].name)
            }),
            let uid = person["uids"]?.texts.last
        else { return }
        let name = log.contacts[contact].name
        let isSure = tell(machine, "unmerge", ["who": [.string(uid)]], "\(name) of \(uid)")
        if isSure != false { log.unmerge(contact, isSure: isSure == true) }
    }

    /// Tells a daemon to do something.
    ///
    /// - Returns: true if it did, false if it refused, nil if it did not answer.
    private func tell(_ machine: Machine, _ method: String, _ parameters: JSONValue, _ what: String) -> Bool?
    {
        var parameters = parameters.object ?? JSONObject()
        parameters["book"] = .string(Machine.book)
        let outcome: Bool?
        do {
            _ = try LineClient(path: machine.socket).ask(method, .object(parameters), within: 1)
            outcome = true
        } catch { outcome = error is Refusal ? false : nil }
        let word = outcome.map { $0 ? "done" : "refused" } ?? "no answer"
        log.note("\(machine.name): \(method) \(what): \(word)")
        return outcome
    }

    // MARK: Choosing

    private func isRemovable(_ contact: UserLog.Contact) -> Bool {
        contact.presence == .there && !contact.isRemoved && log.unions[contact.group] == nil
    }

    private func some(_ fits: (UserLog.Contact) -> Bool) -> Int? {
        log.contacts.indices.filter { fits(log.contacts[$0]) }.randomElement(using: &random)
    }

    /// A contact, and the file of the directory that a user finds it in.
    private func someFile(_ machine: Machine, _ fits: (UserLog.Contact) -> Bool) -> (Int, String, String)? {
        guard let contact = some(fits) else { return nil }
        let found = machine.texts().filter { $0.value.contains(log.contacts[contact].name) }
        guard found.count == 1, let file = found.first else { return nil }
        return (contact, file.key, file.value)
    }
}
