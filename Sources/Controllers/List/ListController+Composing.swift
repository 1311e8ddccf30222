import AddressBook
import Replication

/// Composing: the cards of many persons are composed on other threads, those of a few at once, and stay at hand until
/// the person changes, for who settles and who writes need the same.
extension ListController {
    /// Persons of one job.
    private static let perJob = 50
    /// Cards kept at hand: two rounds of writing.
    private static let composedLimit = 2000

    /// What became of composing.
    struct Composing {
        /// The jobs that are under way for persons that have not changed since, by the card's uid.
        var jobs: [UID: Int] = [:]
        /// What was composed and is still so, by the card's uid.
        var ready: [UID: ComposedPerson] = [:]
        var lastJob = 0

        /// The person changed: what is known of it, or is being found out, holds no longer.
        mutating func forget(_ uid: UID) {
            jobs[uid] = nil
            ready[uid] = nil
        }

        var isEmpty: Bool { jobs.isEmpty && ready.isEmpty }
    }

    /// A person's card with what follows from its records; nil if no record is alive.
    func composed(_ uid: UID) -> ComposedPerson? {
        if let first = index.cardUID(of: uid), let ready = composing.ready[first] { return ready }
        let records = records(ofPersonWith: uid)
        return records.isEmpty ? nil : ComposedPerson(records, hash, isAhead: false)
    }

    /// The same, and no longer at hand.
    func takeComposed(_ uid: UID) -> ComposedPerson? {
        defer { composing.ready[uid] = nil }
        return composed(uid)
    }

    /// The uids of the cards that are at hand.
    var atHand: some Sequence<UID> { composing.ready.keys }

    /// Whether the card that a record is shown in is composed.
    func isAtHand(_ uid: UID) -> Bool {
        !composing.ready.isEmpty && index.cardUID(of: uid).map { composing.ready[$0] != nil } ?? false
    }

    /// Whether cards are being composed.
    var isComposing: Bool { !composing.jobs.isEmpty }

    /// Whether the card that a record is shown in is being composed.
    func isComposing(_ uid: UID) -> Bool {
        isComposing && index.cardUID(of: uid).map { composing.jobs[$0] != nil } ?? false
    }

    /// Has the cards composed that are not at hand, where they are many.
    func composeAhead(_ uids: some Sequence<UID>) {
        guard worker != nil else { return }
        let missing = Set(uids.compactMap { index.cardUID(of: $0) })
            .filter { composing.ready[$0] == nil && composing.jobs[$0] == nil }
        if missing.count > fewPersons { compose(missing.sorted()) { _ in } }
    }

    /// Composes the cards of persons.
    ///
    /// - Parameter done: is called with those that are composed, at once where there are few; it is not called again
    ///   for one that changed meanwhile.
    func compose(_ uids: [UID], done: @escaping ([ComposedPerson]) -> Void) {
        guard let worker, uids.count > fewPersons else {
            let persons = uids.compactMap { composed($0) }
            for person in persons { keep(person) }
            return done(persons)
        }
        for start in stride(from: 0, to: uids.count, by: Self.perJob) {
            let part = uids[start..<min(start + Self.perJob, uids.count)]
            composing.lastJob += 1
            let job = composing.lastJob
            for uid in part { composing.jobs[uid] = job }
            let work = part.map { records(ofPersonWith: $0) }.filter { !$0.isEmpty }
            let hash = hash
            // What will find no room is composed for its conflicts only.
            let isAhead = composing.ready.count + composing.jobs.count <= Self.composedLimit
            worker.work({ work.map { ComposedPerson($0, hash, isAhead: isAhead) } }) { [weak self] persons in
                guard let self else { return }
                let still = persons.filter { self.composing.jobs[$0.card.uid] == job }
                for uid in part where composing.jobs[uid] == job { composing.jobs[uid] = nil }
                for person in still { keep(person) }
                done(still)
                wake()
            }
        }
    }

    private func keep(_ person: ComposedPerson) {
        guard composing.ready.count < Self.composedLimit else { return }
        composing.ready[person.card.uid] = person
    }

    /// Counts what is kept of persons and not shown.
    func countConflicts(_ persons: [ComposedPerson]) {
        for person in persons {
            let count = person.card.conflicts.count
            if count > 0 { tell(conflictsOf: person.card, moreThan: conflictCounts[person.card.uid] ?? 0) }
            noteConflicts(person.card.uid, count)
        }
    }
}
