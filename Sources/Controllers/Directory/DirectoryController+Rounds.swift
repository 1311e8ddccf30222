import AddressBook
import Contacts
import JSON
import Replication

/// Rounds of writing: many persons are decided on, their files prepared and what became of them taken in, some in a turn,
/// with one flush for all; the next round is decided on while one is on its way.
extension DirectoryController {
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
        if current.isComplete, flying == nil { return carryOut(&current) }
        // One with nothing to write waits for no other: no file is read while there is a round.
        if !current.isComplete || !current.prepared.isEmpty { round = current }
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

    /// Takes in all that was written, for a directory that has no turns any more. What is only decided on is decided again
    /// by whoever keeps it next, as after a crash.
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
