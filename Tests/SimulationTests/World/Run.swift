import AddressBook
import Controllers
import JSON
import Replication

/// One run: the steps of a plan, carried out on a world, with an oracle that watches the users.
final class Run {
    let world: World
    var oracle = Oracle()
    private let steps: [Step]
    /// Whether one uid may lie in two files.
    private(set) var mayClash = false
    private(set) var rounds = 0
    /// A database went back, or records were held: comparisons have something to find.
    var mayHeal = false

    init(_ steps: [Step], seed: UInt64, machines: Int, fault: Fault? = nil) throws {
        self.steps = steps
        world = try World(seed: seed &* 31, machines: machines, fault: fault)
    }

    /// Carries all steps out.
    ///
    /// - Throws: `BrokenClaim`, the first that does not hold.
    func go() throws {
        for step in steps {
            world.timeline.run(for: step.delay)
            world.note(step.description)
            try carryOut(step)
            world.dial()
        }
    }

    private func carryOut(_ step: Step) throws {
        let machine = world.machines[step.machine]
        switch step.act {
        case .add, .addSeveral, .edit, .load, .saveLoaded, .halfSave, .remove, .removeItem, .rename,
            .restoreBackup, .copy:
            guard !machine.folder.isAway else { return }
            file(step, machine)
        case .crash(let powerCut):
            machine.crash(powerCut: powerCut)
        case .crashWhileBusy(let powerCut):
            let end = world.timeline.now + 200
            while !machine.isBusy, world.timeline.step(until: end) {}
            machine.crash(powerCut: powerCut)
        case .start: for machine in world.machines { try machine.start(world) }
        case .backUp: machine.backUp()
        case .rollBack(let pick): try exchange(machine, pick)
        case .loseDatabase: try exchange(machine, nil)
        case .setClock(let offset): machine.clockOffset = offset
        case .cut(let pick): link(pick)?.cut()
        case .stall(let pick): link(pick)?.isStalled = true
        case .redial(let pick):
            if let link = link(pick) { world.redial(link) }
        case .part(let pick):
            if let link = link(pick) { world.part(link.ends[0].machine, link.ends[1].machine) }
        case .leave: world.isolate(machine)
        case .meet: meet()
        case .moveAway(let leavingEmpty):
            if machine.halfWritten.isEmpty { machine.folder.moveAway(leavingEmpty: leavingEmpty) }
        case .moveBack: machine.folder.moveBack()
        case .rescan:
            machine.life?.directory.rescan()
            machine.life?.wake()
        case .removeByCommand, .restoreByCommand, .merge, .distinguish, .unmerge, .share, .resolve:
            command(step, machine)
        case .leap(let days):
            // Nobody keeps an editor open for so long.
            for machine in world.machines { machine.editors = [] }
            try rest()
            world.timeline.leap(days * Life.day)
        case .settle(let days):
            rounds += 1
            try settle()
            world.timeline.leap(days * Life.day)
        }
    }

    /// A minute in which no user does anything: whatever is missing or away, nobody may be busy all the time.
    private func rest() throws {
        world.timeline.run(for: 10_000)
        let before = world.timeline.count
        world.timeline.run(for: 60_000)
        let events = world.timeline.count - before
        if events > 20_000 { throw BrokenClaim("it does not rest: \(events) events in a minute") }
    }

    private func exchange(_ machine: Machine, _ pick: UInt64?) throws {
        // A lost database beside another directory is for a person, who sees both.
        guard !machine.folder.isAway else { return }
        machine.crash(powerCut: false)
        // To an older database the files say what users wrote: what they do not show is replaced.
        let shown = Tokens.all(in: machine.folder.files.flatMap(\.value.bytes))
        oracle.tookAlong(Shown.behind(shown, machine).union(Shown.stored(machine).subtracting(shown)))
        if pick == nil {
            // What a new database finds is as old as can be, and goes with a deletion, however long ago that was.
            for (name, file) in machine.folder.files {
                oracle.agedNow(file.bytes, earlier: versions(of: file.bytes, in: name, machine))
            }
        }
        if machine.rollBack(pick) {
            oracle.doubt()
            mayHeal = true
        }
        try machine.start(world)
    }

    private func link(_ pick: UInt64) -> Link? {
        world.links.isEmpty ? nil : world.links[Int(pick % UInt64(world.links.count))]
    }

    /// The network is whole again.
    func meet() {
        world.parted = []
        for link in world.links { link.isStalled = false }
    }

    // MARK: Files

    private func pick(_ pick: UInt64, _ machine: Machine) -> (name: String, bytes: [UInt8])? {
        let names = machine.folder.names.filter { machine.halfWritten[$0] == nil }
        guard !names.isEmpty else { return nil }
        let name = names[Int(pick % UInt64(names.count))]
        return machine.folder.files[name].map { (name, $0.bytes) }
    }

    /// A file that holds several contacts.
    private func several(_ pick: UInt64, _ machine: Machine) -> (name: String, bytes: [UInt8])? {
        let names = machine.folder.names.filter {
            machine.halfWritten[$0] == nil
                && Change.removing(0, from: machine.folder.files[$0]?.bytes ?? []) != nil
        }
        guard !names.isEmpty else { return nil }
        let name = names[Int(pick % UInt64(names.count))]
        return machine.folder.files[name].map { (name, $0.bytes) }
    }

    private func file(_ step: Step, _ machine: Machine) {
        let folder = machine.folder
        switch step.act {
        case .add(let pick):
            add(Change.text(.object(Change.contact(pick, step: step.id))), step, machine)
        case .addSeveral(let pick): add(Change.several(pick, step: step.id), step, machine)
        case .edit(let pick, let change, let inPlace, let isSeen):
            guard let (name, old) = self.pick(pick, machine),
                let new = Change.apply(change, to: old, step: step.id)
            else { return }
            world.note(
                "  edits \(name): \(String(decoding: new, as: UTF8.self).filter { $0 != "\n" && $0 != " " })"
            )
            saved(new, over: old, name, machine)
            folder.save(name, new, inPlace: inPlace, isSeen: isSeen)
        case .load(let pick):
            if let file = self.pick(pick, machine) {
                machine.editors.append((file.name, file.bytes, folder.versions[file.name] ?? 0))
            }
        case .saveLoaded(let pick, let change):
            saveLoaded(step, pick, change, machine)
        case .halfSave(let pick, let change):
            guard let (name, old) = self.pick(pick, machine),
                let new = Change.apply(change, to: old, step: step.id)
            else { return }
            saved(new, over: old, name, machine)
            machine.halfWritten[name] = new
            folder.save(name, Array(new.prefix(new.count / 2)), inPlace: true, isSeen: false)
        case .remove(let pick):
            guard let (name, old) = self.pick(pick, machine) else { return }
            deleted(old, in: name, machine)
            folder.remove(name)
        case .removeItem(let pick, let item):
            guard let (name, old) = several(pick, machine),
                let (rest, gone) = Change.removing(item, from: old)
            else { return }
            deleted(gone, in: name, machine)
            folder.save(name, rest)
        case .rename(let pick):
            guard let (name, _) = self.pick(pick, machine) else { return }
            folder.rename(name, to: "\(step.id) renamed.json")
        case .restoreBackup(let pick):
            guard !folder.backups.isEmpty else { return }
            let backup = folder.backups[Int(pick % UInt64(folder.backups.count))]
            guard machine.halfWritten[backup.name] == nil else { return }
            let old = folder.files[backup.name]?.bytes ?? []
            oracle.replaced(old, by: backup.bytes)
            oracle.tookAlong(Shown.behind(Tokens.all(in: old), machine))
            // It may stand for several contacts that were one then.
            let back = Tokens.all(in: backup.bytes)
            oracle.tookAlong(Shown.with(back, machine).subtracting(back))
            mayClash = true
            folder.save(backup.name, backup.bytes)
        case .copy(let pick):
            guard let (_, old) = self.pick(pick, machine) else { return }
            mayClash = true
            oracle.replaced([], by: old)
            folder.save("\(step.id) copy.json", old)
        default: preconditionFailure("only what people do to files comes here")
        }
    }

    private func add(_ bytes: [UInt8], _ step: Step, _ machine: Machine) {
        mayClash = true
        // A uid that is used again may stand for an edit of what it was.
        for uid in uids(bytes) { oracle.mayReturn(Shown.said(of: uid, machine)) }
        oracle.saved(bytes, over: [])
        machine.folder.save("\(step.id).json", bytes)
    }

    private func deleted(_ contact: [UInt8], in name: String, _ machine: Machine) {
        world.note("  removes from \(name): \(Tokens.all(in: contact).sorted())")
        oracle.deleted(contact)
        // Whether what was about to be written had been when the daemon ended, and was seen, cannot be known any more.
        if machine.life == nil, machine.stored.isBetween(name) { oracle.doubt() }
        doubtCopies(of: contact, name, machine)
        oracle.disputed(machine.folder.backups.filter { $0.name == name }.map(\.bytes))
        oracle.tookAlong(Shown.behind(Tokens.all(in: contact), machine))
    }

    /// What a contact said before, in whatever file that was.
    private func versions(of contact: [UInt8], in name: String, _ machine: Machine) -> [[UInt8]] {
        let said = Tokens.all(in: contact)
        return machine.folder.backups.filter {
            let tokens = Tokens.all(in: $0.bytes)
            return $0.name == name || !tokens.isDisjoint(with: said)
                || tokens.isEmpty && share(uid: contact, $0.bytes)
        }
        .map(\.bytes)
    }

    /// An edit replaces what it shows with all that stands behind it, kept losers included.
    private func saved(_ new: [UInt8], over old: [UInt8], _ name: String, _ machine: Machine) {
        let (changed, loaded) = Change.difference(new, old)
        oracle.saved(changed, over: loaded, earlier: versions(of: loaded, in: name, machine))
        doubtCopies(of: old, name, machine)
        // Without a uid, renamed and changed before anybody has read it, or changed in more than one place, it may be
        // another contact.
        if uids(old).isEmpty, machine.folder.isUnread(name) || Change.distance(old, new) ?? 2 > 1 {
            oracle.doubt()
        }
        if machine.life == nil, machine.stored.isBetween(name) {
            // What was about to be written when the daemon ended counts as shown.
            oracle.tookAlong(Shown.stored(machine).subtracting(Tokens.all(in: new)))
        }
        let tokens = Tokens.all(in: old)
        guard !tokens.isSubset(of: Tokens.all(in: new)) else { return }
        oracle.tookAlong(Shown.behind(tokens, machine))
    }

    /// Who edits or removes one of two files that say the same says nothing about the other.
    private func doubtCopies(of bytes: [UInt8], _ name: String, _ machine: Machine) {
        if hasCopy(bytes, name, machine) { oracle.doubt() }
    }

    private func hasCopy(_ bytes: [UInt8], _ name: String, _ machine: Machine) -> Bool {
        let tokens = Tokens.all(in: bytes)
        return machine.folder.files.contains { other, file in
            other != name
                && (share(uid: bytes, file.bytes) || !Tokens.all(in: file.bytes).isDisjoint(with: tokens))
        }
    }

    private func share(uid a: [UInt8], _ b: [UInt8]) -> Bool {
        a == b || !uids(a).isDisjoint(with: uids(b))
    }

    private func uids(_ bytes: [UInt8]) -> Set<UID> {
        Set(((try? ParsedFile(bytes))?.items ?? []).compactMap(\.uid))
    }

    private func saveLoaded(_ step: Step, _ pick: UInt64, _ change: UInt64, _ machine: Machine) {
        guard !machine.editors.isEmpty else { return }
        let editor = machine.editors.remove(at: Int(pick % UInt64(machine.editors.count)))
        guard machine.halfWritten[editor.name] == nil,
            let new = Change.apply(change, to: editor.bytes, step: step.id)
        else { return }
        let now = machine.folder.files[editor.name]?.bytes
        if let now {
            // Nobody may ever know of what is overwritten before a daemon has stored it.
            oracle.tookAlong(
                Tokens.all(in: now).subtracting(Tokens.all(in: new)).subtracting(Shown.stored(machine))
            )
        }
        world.note("  saves an old buffer of \(editor.name)")
        saved(new, over: editor.bytes, editor.name, machine)
        // A save that is as near to another version may come from that one, one that changes nothing is a return.
        // Without a uid it may be another contact, and over another contact's file it is one.
        let distance = Change.distance(editor.bytes, new) ?? .max
        let versions = versions(of: editor.bytes, in: editor.name, machine) + (now.map { [$0] } ?? [])
        let isUnclear =
            uids(new).isEmpty || distance == 0 || hasCopy(editor.bytes, editor.name, machine)
            || now.map { uids($0).isDisjoint(with: uids(new)) } ?? false
            || versions.contains { $0 != editor.bytes && (Change.distance($0, new) ?? 0) <= distance }
        if let now, !isUnclear, (machine.folder.versions[editor.name] ?? 0) - editor.version <= 4 {
            oracle.touched(now)
            oracle.doubt()
            // What was changed in both counts as seen where it cannot be told which version was loaded.
            oracle.tookAlong(Change.overlap(editor.bytes, new, now))
        } else {
            oracle.replaced(now ?? [], by: new)
            oracle.tookAlong(Shown.behind(Tokens.all(in: now ?? []), machine))
        }
        mayClash = true
        machine.folder.save(editor.name, new)
    }

    // MARK: Commands

    private func command(_ step: Step, _ machine: Machine) {
        guard let life = machine.life else { return }
        let persons = life.list.index.persons
        switch step.act {
        case .removeByCommand(let pick):
            guard !persons.isEmpty else { return }
            let person = persons[Int(pick % UInt64(persons.count))]
            let texts = Shown.texts(of: person, life.list)
            oracle.believed(texts)
            // What others say too stays with them.
            let said = texts.reduce(into: Set()) { $0.formUnion(Tokens.all(in: $1)) }
            let others = Shown.texts(of: persons.filter { $0 != person }.map { $0[0] }, life.list)
            if others.contains(where: { !Tokens.all(in: $0).isDisjoint(with: said) }) { oracle.doubt() }
            for text in texts { oracle.tookAlong(Shown.behind(Tokens.all(in: text), machine)) }
            // A crash before the answer may undo it.
            life.command(.remove(person)) { [weak self] in
                for text in texts { self?.oracle.deleted(text) }
            }
        case .restoreByCommand:
            guard let (uid, note) = life.list.dead.sorted(by: { $0.key < $1.key }).first else { return }
            oracle.doubt()
            let act = life.list.dead.filter { $0.value.time == note.time && $0.value.session == note.session }
            life.command(.restore(act.isEmpty ? [uid] : act.keys.sorted()))
        case .merge(let a, let b), .distinguish(let a, let b):
            guard persons.count > 1 else { return }
            let (x, y) = (Int(a % UInt64(persons.count)), Int(b % UInt64(persons.count)))
            guard x != y else { return }
            if case .merge = step.act {
                for text in Shown.texts(of: persons[x] + persons[y], life.list) { oracle.touched(text) }
                life.command(.merge(persons[x], persons[y]))
            } else {
                life.command(.distinguish(persons[x], persons[y]))
            }
        case .unmerge(let pick, let part):
            let several = persons.filter { $0.count > 1 }
            guard !several.isEmpty else { return }
            var rest = several[Int(pick % UInt64(several.count))]
            let uid = rest.remove(at: Int(part % UInt64(rest.count)))
            // Who deletes both in one file meanwhile may keep the one that has a file of its own by then.
            for text in Shown.texts(of: [uid], life.list) { oracle.touched(text) }
            life.command(.distinguish([uid], rest))
        case .share(let pick, let isShared):
            let number = Change.shared[Int(pick % UInt64(Change.shared.count))]
            guard let key = life.list.factory.key(number) else { return }
            oracle.shared(number)
            life.command(.share(key: key, isShared ? .yes : .no))
        case .resolve(let pick, let choice): resolve(pick, choice, life)
        default: preconditionFailure("only commands come here")
        }
    }

    /// Somebody looks at the values of one field, and one of them is written over all.
    private func resolve(_ pick: UInt64, _ choice: UInt64, _ life: Life) {
        let cards = life.list.index.persons.compactMap { life.list.card(ofPersonWith: $0[0]) }
        let conflicts = cards.flatMap { card in card.conflicts.map { (card, $0) } }
        guard !conflicts.isEmpty else { return }
        let (card, conflict) = conflicts[Int(pick % UInt64(conflicts.count))]
        guard let item = card.items[conflict.field] else { return }
        let kept = conflict.others[Int(choice % UInt64(conflict.others.count))]
        let takesKept = choice / 64 % 2 == 0
        let chosen = takesKept ? kept.version.value ?? .null : item.value
        let values = [item.value] + conflict.others.map { $0.version.value ?? .null }
        world.note("  resolves \(conflict.field) of \(card.uid.text) to \(JSONWriter.text(chosen))")
        oracle.believed(values.map { JSONWriter.bytes($0) })
        // It is written anew: whoever removes it meanwhile has not seen that.
        oracle.disputed([JSONWriter.bytes(chosen)])
        // Nothing is said of other contacts, and other fields, that say the same.
        let said = Tokens.all(in: JSONWriter.bytes(.array(values)))
        let rest = card.items.filter { $0.key != conflict.field }.map { JSONWriter.bytes($0.value.value) }
        let others = cards.filter { $0.uid != card.uid }.map { Shown.text($0) } + rest
        if others.contains(where: { !Tokens.all(in: $0).isDisjoint(with: said) }) { oracle.doubt() }
        oracle.touched(Shown.text(card))
        let sources = item.sources + conflict.others.map(\.source).filter { !item.sources.contains($0) }
        life.command(.resolve(sources, chosen, phoneKey: takesKept ? kept.version.key : item.phoneKeys.first))
        {
            [weak self] in
            self?.oracle.saved(JSONWriter.bytes(chosen), over: JSONWriter.bytes(.array(values)))
        }
    }
}
