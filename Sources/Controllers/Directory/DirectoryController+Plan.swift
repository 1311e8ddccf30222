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

        var count: Int { changes.count + additions.count }
        var isEmpty: Bool { changes.isEmpty && additions.isEmpty }
    }

    /// Files that are to be written with one flush: persons are decided on, then their files are prepared, some of either
    /// in a turn, then all are written.
    struct Round {
        /// Who is yet to be decided on, the next one last.
        var persons: [UID]
        var seen: Set<UID> = []
        var plan = Plan()
        var prepared: [Prepared] = []
        /// The folded names of files that are to be made.
        var names: Set<String> = []

        var isComplete: Bool { persons.isEmpty && plan.isEmpty }
    }

    /// A round on its way to the disk.
    struct Flight {
        /// Whose files are written, all whom they showed or will show.
        var uids: Set<UID>
        var names: Set<String>
    }

    /// Compares persons with their files and sends on its way what has to be written, or goes on with that.
    func plan() {
        if round == nil, mayBegin { begin() }
        // Taken out and put back: what a round holds is not copied for each change of it.
        guard var current = round.take() else { return }
        var left = roundShare
        while left > 0, let uid = current.persons.popLast() { if decide(uid, &current) { left -= 1 } }
        if current.persons.isEmpty {
            unplanned.formUnion(current.plan.waiting)
            current.plan.waiting = []
            prepareSome(&current, &left)
        }
        if current.isComplete, flying == nil { carryOut(&current) } else { round = current }
    }

    private var mayBegin: Bool {
        guard case .ours = standing, identity != nil else { return false }
        // What we write ourselves is looked at when it is known how it went.
        return landed.isEmpty && !unread.contains { inFlight[$0] == nil } && !isScanning && hasPlans
            && mayDecide && writeFailure == nil
    }

    /// Whether there may be somebody to decide on beside those whose files are being written: with the next round ready when
    /// one has landed, a first sync takes a fifth less time.
    var mayDecide: Bool { flying == nil || !unplanned.isEmpty && stalledAt != unplanned.count }

    private func begin() {
        let persons = nextPersons()
        stalledAt = flying != nil && persons.isEmpty ? unplanned.count : nil
        if flying == nil || !persons.isEmpty { round = Round(persons: persons.reversed()) }
    }

    private func isFlying(_ uid: UID) -> Bool {
        guard let flying else { return false }
        return list.index.person(of: uid)?.contains(where: flying.uids.contains) ?? flying.uids.contains(uid)
    }

    /// Those whose cards are at hand come first, which makes room for the cards of others; these are composed meanwhile.
    private func nextPersons() -> [UID] {
        let atHand = list.atHand.filter {
            !isFlying($0) && list.index.person(of: $0)?.contains(where: unplanned.contains) ?? false
        }
        var next = Array(atHand.sorted().prefix(Self.perRound))
        guard next.count < Self.perRound else { return next }
        if planQueue.isEmpty { planQueue = unplanned.sorted(by: >) }
        while next.count < Self.perRound, let uid = planQueue.popLast() {
            if unplanned.contains(uid), !list.isAtHand(uid), !isFlying(uid) { next.append(uid) }
        }
        list.composeAhead(next)
        return next
    }

    /// - Returns: whether that took its time.
    private func decide(_ uid: UID, _ round: inout Round) -> Bool {
        guard !list.isComposing(uid), !isFlying(uid) else { return false }
        guard let person = list.index.person(of: uid) else {
            if unplanned.remove(uid) != nil { decide(dead: uid, &round.plan) }
            return true
        }
        // Of whom any record was decided on: who was joined since waits for the next round.
        guard round.seen.isDisjoint(with: person), person.contains(where: unplanned.contains) else {
            return false
        }
        round.seen.formUnion(person)
        unplanned.subtract(person)
        decide(person, &round.plan)
        noteCompared(person) { round.plan.changes[$0] != nil }
        return true
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

    /// A change of a file with what is to be known of it.
    struct Prepared {
        var job: FileJob
        var intention: FileRecord.Intention
        var uids: Set<UID>
        var bases: [(uid: UID, number: Int64)]
    }

    private func prepareSome(_ round: inout Round, _ left: inout Int) {
        for name in round.plan.changes.keys.sorted().prefix(left) {
            left -= 1
            guard let changes = round.plan.changes.removeValue(forKey: name) else { continue }
            if let job = prepare(name, changes) { note(job, in: &round) }
        }
        let some = round.plan.additions.prefix(left)
        left -= some.count
        for person in some { note(prepare(person, &round.names), in: &round) }
        round.plan.additions.removeFirst(some.count)
    }

    /// From here on the store knows what is about to be written, along with the version that it shows.
    private func note(_ job: Prepared, in round: inout Round) {
        guard isReadable(job) else { return }
        round.prepared.append(job)
        let name = ExactString(job.job.name)
        inFlight[name] = job.intention
        store(name, files[name], intention: job.intention)
    }

    private func carryOut(_ round: inout Round) {
        if unplanned.isEmpty { clear(&round) }
        let prepared = round.prepared
        guard !prepared.isEmpty, let identity else { return }
        flying = Flight(uids: prepared.reduce(into: []) { $0.formUnion($1.uids) }, names: round.names)
        folder.carryOut(prepared.map(\.job), in: identity) { [committer] in
            committer.afterCommit(isFirst: true, $0)
        } done: { [weak self] outcomes in
            guard let self else { return }
            landed = zip(prepared, outcomes).reversed().map { (job: $0, outcome: $1) }
            wake()
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
                    || flying?.names.contains(folded) ?? false
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

    /// Takes in what became of files that were written.
    func takeLanded() {
        guard !landed.isEmpty else { return }
        for _ in 0..<min(landed.count, roundShare) {
            let (job, outcome) = landed.removeLast()
            finish(job, outcome)
        }
        guard landed.isEmpty else { return }
        flying = nil
        stalledAt = nil
        noteShown(1)
    }

    /// Ends for good once nothing is on its way: what is only decided on is decided again by whoever keeps the directory
    /// next, as after a crash.
    package func leave() { while !landed.isEmpty { takeLanded() } }

    private func finish(_ job: Prepared, _ outcome: FileOutcome) {
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
    private func clear(_ round: inout Round) {
        for (name, _) in leftovers.sorted(by: { $0.key < $1.key }) {
            guard let state = files[name], state.items.isEmpty else { continue }
            let job = FileJob.remove(name: name.text, expected: state.bytes)
            note(Prepared(job: job, intention: .remove, uids: [], bases: []), in: &round)
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
