import AddressBook
import Contacts
import JSON
import Replication

/// Writing: which person is kept in which file, and what has to change for it.
extension DirectoryController {
    /// What is to become of one item of a file.
    enum ItemChange {
        case show(ComposedPerson)
        case remove
    }

    /// Changes of files that were decided together.
    struct Plan {
        var changes: [ExactString: [Int: ItemChange]] = [:]
        var additions: [ComposedPerson] = []
        /// Persons that have to wait for a file that is being read or written.
        var waiting: Set<UID> = []
    }

    /// Compares persons with their files and sends on its way what has to be written.
    func plan() {
        guard case .ours = standing, unread.isEmpty, !isScanning, inFlight.isEmpty, hasPlans,
            writeFailure == nil
        else { return }
        // Those whose cards are at hand come first: that makes room for the cards of the others.
        let atHand = unplanned.filter { list.isAtHand($0) }.sorted()
        let next = atHand.count < Self.perRound ? atHand + unplanned.subtracting(atHand).sorted() : atHand
        list.composeAhead(next.prefix(Self.perRound))
        var plan = Plan()
        var seen: Set<UID> = []
        var count = 0
        for uid in next where !list.isComposing(uid) {
            let person = list.index.person(of: uid)
            if let person, seen.contains(person[0]) {
                unplanned.remove(uid)
                continue
            }
            guard count < Self.perRound else { break }
            count += 1
            unplanned.remove(uid)
            if let person {
                seen.insert(person[0])
                decide(person, &plan)
            } else {
                decide(dead: uid, &plan)
            }
        }
        unplanned.formUnion(plan.waiting)
        guard !plan.changes.isEmpty || !plan.additions.isEmpty || !leftovers.isEmpty else { return }
        carryOut(plan)
    }

    /// The item of each file that shows a person, if it is that person's.
    private func owned(_ person: [UID]) -> [(name: ExactString, at: Int, item: HeldItem)] {
        var out: [(name: ExactString, at: Int, item: HeldItem)] = []
        for name in Set(person.flatMap { files.names(showing: $0) }) {
            for (at, item) in (files[name]?.items ?? []).enumerated()
            where owner(item).map({ $0[0] == person[0] }) ?? false {
                out.append((name, at, item))
            }
        }
        return out
    }

    /// The person that an item belongs to: that of its uid, else of the first record it shows that is alive.
    func owner(_ item: HeldItem) -> [UID]? {
        list.index.person(of: item.uid) ?? item.uids.lazy.compactMap { self.list.index.person(of: $0) }.first
    }

    private func decide(_ person: [UID], _ plan: inout Plan) {
        guard let composed = list.takeComposed(person[0]), composed.records.count == person.count else {
            return
        }
        // After a crash they may be stored as they were before the change.
        list.countConflicts([composed])
        let (card, content) = (composed.card, composed.content)
        let items = owned(person)
        // Facts for a file that cannot be read wait in the store.
        if items.contains(where: { files[$0.name]?.aside != nil && $0.item.role != .copy }) { return }
        // What is missing may come back under another name, or be a deletion: until then nothing is written anew.
        if gone.contains(where: { entry in entry.item.uids.contains { person.contains($0) } }), items.isEmpty
        {
            return
        }
        let homes = items.filter { $0.item.role != .copy }
        guard let home = (homes.isEmpty ? items : homes).min(by: { order($0, card) < order($1, card) }) else {
            plan.additions.append(composed)
            return
        }
        for other in items where other.name != home.name || other.at != home.at {
            if other.item.role == .copy, other.item.content == content { continue }
            plan.changes[other.name, default: [:]][other.at] = .remove
        }
        if home.item.content != content || home.item.uid != card.uid {
            plan.changes[home.name, default: [:]][home.at] = .show(composed)
        } else if Set(home.item.uids) != Set(person) || !isCurrent(composed) {
            // It says all of it already; it only stands for more now.
            adopt(home.name, home.at, composed)
        }
    }

    /// Whether the newest version noted of a person stands for all it holds now. Values that are kept and not shown,
    /// and what keeps a record alive, change without any change of the file; who edits or removes the file afterwards
    /// means them too.
    private func isCurrent(_ person: ComposedPerson) -> Bool {
        let card = person.card
        guard let base = recentBases[card.uid]?.last?.base ?? bases(card.uid).first else { return false }
        return person.records.allSatisfy { record in
            Set(base.alive[record.uid] ?? []) == Set((record.fields[.alive] ?? [:]).keys)
        }
            && card.items.allSatisfy { key, item in
                CardFields.isBookkeeping(key) || base.items[key].map { Set($0.sources) } == Set(item.sources)
            }
    }

    /// The one with the card's uid stays, a file of its own before an array, then by name.
    private func order(_ item: (name: ExactString, at: Int, item: HeldItem), _ card: PersonCard) -> HomeOrder
    {
        HomeOrder(
            otherUID: item.item.uid != card.uid && item.item.written.map { UID($0) } != card.uid,
            inArray: files[item.name]?.isArray ?? false,
            name: item.name,
            at: item.at
        )
    }

    private struct HomeOrder: Comparable {
        var otherUID: Bool
        var inArray: Bool
        var name: ExactString
        var at: Int

        static func < (a: HomeOrder, b: HomeOrder) -> Bool {
            if a.otherUID != b.otherUID { return !a.otherUID }
            if a.inArray != b.inArray { return !a.inArray }
            return a.name != b.name ? a.name < b.name : a.at < b.at
        }
    }

    /// Notes that a file shows a person as it is, without writing it.
    private func adopt(_ name: ExactString, _ at: Int, _ person: ComposedPerson) {
        guard var state = files[name] else { return }
        state.items[at].uids = person.card.uids
        note(person.base(at: now), of: state.items[at].uid)
        store(name, state)
    }

    private func decide(dead uid: UID, _ plan: inout Plan) {
        for name in files.names(showing: uid) {
            guard let state = files[name], state.aside == nil else { continue }
            for (at, item) in state.items.enumerated() where item.uids.contains(uid) && owner(item) == nil {
                plan.changes[name, default: [:]][at] = .remove
            }
            // A living person may have had its home here.
            for item in state.items where item.uids.contains(uid) {
                if let person = owner(item) { plan.waiting.insert(person[0]) }
            }
        }
    }

    // MARK: Carrying out

    private struct Prepared {
        var job: FileJob
        var intention: FileRecord.Intention
        var uids: Set<UID>
        var bases: [(uid: UID, number: Int64)]
    }

    private func carryOut(_ plan: Plan) {
        var prepared: [Prepared] = []
        for (name, changes) in plan.changes.sorted(by: { $0.key < $1.key }) {
            if let job = prepare(name, changes) { prepared.append(job) }
        }
        var names: Set<String> = []
        for person in plan.additions { prepared.append(prepare(person, &names)) }
        if unplanned.isEmpty { clear(&prepared) }
        prepared = prepared.filter(isReadable)
        guard !prepared.isEmpty, let identity else { return }
        for job in prepared {
            let name = ExactString(job.job.name)
            inFlight[name] = job.intention
            store(name, files[name], intention: job.intention)
        }
        folder.carryOut(prepared.map(\.job), in: identity) { [committer] in
            committer.afterCommit(isFirst: true, $0)
        } done: { [weak self] outcomes in
            self?.finish(prepared, outcomes)
        }
        wake()
    }

    private func prepare(_ name: ExactString, _ changes: [Int: ItemChange]) -> Prepared? {
        guard let state = files[name] else { return nil }
        let all = changes.values.flatMap { change -> [UID] in
            if case .show(let person) = change { return person.card.uids }
            return []
        }
        let uids = Set(all + state.items.flatMap(\.uids))
        guard let (bytes, _) = try? folder.read(name.text), hash.hash(bytes) == state.bytes,
            let parsed = try? ParsedFile(bytes), parsed.items.count == state.items.count
        else {
            // Somebody saved it meanwhile; that is read first.
            unread.insert(name)
            unplanned.formUnion(uids)
            wake()
            return nil
        }
        if changes.count == state.items.count,
            changes.values.allSatisfy({ if case .remove = $0 { true } else { false } }),
            parsed.flaws.isEmpty
        {
            return Prepared(
                job: .remove(name: name.text, expected: state.bytes),
                intention: .remove,
                uids: uids,
                bases: []
            )
        }
        var next = state
        next.items = []
        next.stamp = .unknown
        var texts: [Int: [UInt8]?] = [:]
        var bases: [(uid: UID, number: Int64)] = []
        for (at, item) in state.items.enumerated() {
            let parsedItem = parsed.items[at]
            switch changes[at] {
            case nil: next.items.append(item)
            case .remove: texts[parsedItem.place] = .some(nil)
            case .show(let person):
                let (object, shown) = written(person, item, parsedItem.written)
                texts[parsedItem.place] = JSONWriter.bytes(.object(object), .indented)
                next.items.append(shown)
                bases.append((shown.uid, note(person.base(at: now), of: shown.uid)))
            }
        }
        let out = FileText.replacing(bytes, parsed, texts)
        next.bytes = hash.hash(out)
        // Only what was carried along may have any.
        next.flaws = parsed.flaws.isEmpty ? [] : (try? ParsedFile(out))?.flaws ?? []
        return Prepared(
            job: .write(FileWrite(name: name.text, bytes: out, expected: state.bytes)),
            intention: .write(next),
            uids: uids,
            bases: bases
        )
    }

    /// The object that shows a card in the place of an item, in the item's form if that can say it.
    private func written(
        _ person: ComposedPerson,
        _ item: HeldItem,
        _ like: JSONObject
    ) -> (JSONObject, HeldItem) {
        let card = person.card
        let isTold = item.written != nil || MadeUID.make(card.card, hash: hash) != card.uid.text
        let uid = isTold ? card.uid.text : nil
        var shown = HeldItem(
            uid: card.uid,
            uids: card.uids,
            content: person.content,
            isPlain: item.isPlain,
            written: uid
        )
        if item.isPlain, let plain = CardWriter.plain(card.card, uid: uid, like: like) {
            return (plain, shown)
        }
        shown.isPlain = false
        return (CardWriter.card(card.card, uid: uid, like: item.isPlain ? nil : like), shown)
    }

    private func prepare(_ person: ComposedPerson, _ names: inout Set<String>) -> Prepared {
        let (card, drawing) = (person.card, person.drawing(hash))
        let lost = leftovers.filter { !$0.value.isDisjoint(with: card.uids) }.keys.min()
        if let lost { leftovers[lost] = nil }
        let title = card.name ?? Self.substitute(card)
        let name =
            lost?.text
            ?? folder.freeName(shown: title, uid: card.uid.text) { folded in
                files.isTaken(folded: folded) || names.contains(folded) || isMissing(folded)
            }
        names.insert(name.lowercased())
        let item = HeldItem(
            uid: card.uid,
            uids: card.uids,
            content: person.content,
            isPlain: false,
            written: card.uid.text
        )
        let number = note(person.base(at: now), of: card.uid)
        let state = FileState(stamp: .unknown, bytes: drawing.textHash, isArray: false, items: [item])
        let expected = lost.flatMap { files[$0]?.bytes }
        return Prepared(
            job: .write(FileWrite(name: name, bytes: drawing.text, expected: expected)),
            intention: .write(state),
            uids: Set(card.uids),
            bases: [(card.uid, number)]
        )
    }

    /// Whether a file of that name is missing: what is known of it must last until its absence is believed.
    private func isMissing(_ folded: String) -> Bool {
        gone.contains { $0.isWholeFile && $0.name.text.lowercased() == folded }
    }

    /// What a file is named after where the contact has no name: an organisation, else a number.
    private static func substitute(_ card: PersonCard) -> String? {
        let organizations = card.card["organizations"]?.object?.members ?? []
        return organizations.lazy.compactMap { $0.value.object?["name"]?.string }.first { !$0.isEmpty }
            ?? card.phones.first?.number
    }

    private func finish(_ prepared: [Prepared], _ outcomes: [FileOutcome]) {
        for (job, outcome) in zip(prepared, outcomes) {
            let name = ExactString(job.job.name)
            inFlight[name] = nil
            switch (outcome, job.intention) {
            case (.written(let stamp), .write(var state)):
                state.stamp = stamp
                store(name, state)
            case (.removed, _):
                store(name, nil)
            case (.overtaken, _), (.written, .remove):
                // Somebody was quicker: that is read first, then the person is compared again.
                forget(job)
                unread.insert(name)
            case (.failed(let reason), _):
                if files[name]?.items.isEmpty == true { leftovers[name] = job.uids }
                doubt(job)
                writeFailure = reason
                _ = scheduler.after(Self.retryDelay) { [weak self] in
                    self?.writeFailure = nil
                    self?.wake()
                }
            }
        }
        noteShown(1)
        wake()
    }

    /// A file that could not be read again is not written; the contact stays as its file has it, and the status says so.
    private func isReadable(_ job: Prepared) -> Bool {
        guard case .write(let write) = job.job, write.bytes.count > Self.fileLimit else { return true }
        for (uid, number) in job.bases {
            recentBases[uid]?.removeAll { $0.number == number }
            committer.stage { $0.removedBases.append((bookID, uid.text, number)) }
        }
        list.complain(
            "\(write.name) would be larger than 8 MiB and is not written; take photos out of the contact"
        )
        return false
    }

    /// Takes away what a crash left, where nobody is to be written there any more.
    private func clear(_ prepared: inout [Prepared]) {
        for (name, _) in leftovers.sorted(by: { $0.key < $1.key }) {
            guard let state = files[name], state.items.isEmpty else { continue }
            let job = FileJob.remove(name: name.text, expected: state.bytes)
            prepared.append(Prepared(job: job, intention: .remove, uids: [], bases: []))
        }
        leftovers = [:]
    }

    /// Whether it happened before the machine refused is not known, as after a crash: what lies there tells.
    private func doubt(_ job: Prepared) {
        let name = ExactString(job.job.name)
        var state = files[name]
        state?.stamp = .unknown
        store(name, state, intention: job.intention)
        lastIntentions[name] = job.intention
        doubtfulBases.formUnion(job.bases.map(\.number))
        unread.insert(name)
        unplanned.formUnion(job.uids)
    }

    /// A version that was never shown is no base.
    private func forget(_ job: Prepared) {
        for (uid, number) in job.bases { withdraw(number, of: uid) }
        let name = ExactString(job.job.name)
        store(name, files[name])
        unplanned.formUnion(job.uids)
    }
}
