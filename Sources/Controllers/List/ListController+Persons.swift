package import AddressBook
import Contacts
import JSON
package import Replication

/// Why a question about a person has no answer.
package enum WhoError: Error, Hashable, Sendable {
    case notFound(String)
    /// Several fit: their uids.
    case ambiguous(String, [UID])
}

/// Persons, as people ask for them.
extension ListController {
    /// The records of a person, the card's uid first; empty for a uid that is not alive.
    package func records(ofPersonWith uid: UID) -> [Record] {
        (index.person(of: uid) ?? []).compactMap { record($0) }.filter(\.isAlive)
    }

    /// The card of the person that a record belongs to, nil if it is not alive.
    package func card(ofPersonWith uid: UID) -> PersonCard? { composed(uid)?.card }

    /// The person that a uid, a name or a number in any notation means.
    ///
    /// - Throws: `WhoError` if none or several fit.
    package func person(_ who: String) throws(WhoError) -> [UID] {
        if let person = index.person(of: UID(who)) { return person }
        var fits: [[UID]] = []
        if let key = factory.key(who) {
            fits = persons(on: key)
        }
        if fits.isEmpty {
            let name = PersonName(who)
            if !name.isEmpty {
                fits = index.persons.filter { person in
                    person.contains { index.catalog.profile(of: $0)?.name.equals(name) == true }
                }
            }
        }
        if fits.isEmpty {
            fits = index.persons.filter { person in
                guard let card = card(ofPersonWith: person[0]) else { return false }
                return card.phones.contains { $0.number.isExactly(who) }
            }
        }
        switch fits.count {
        case 0: throw .notFound(who)
        case 1: return fits[0]
        default: throw .ambiguous(who, fits.map { $0[0] }.sorted())
        }
    }

    /// The persons that carry a number.
    package func persons(on key: String) -> [[UID]] {
        var out: [[UID]] = []
        for uid in index.catalog.uids(on: key).sorted() {
            if let person = index.person(of: uid), !out.contains(where: { $0[0] == person[0] }) {
                out.append(person)
            }
        }
        return out
    }

    /// The deleted records whose values are still kept.
    var kept: [UID: DeadNote] {
        let days = UInt64(settings.keepDeleted) * 86_400_000
        let now = replica.now
        return dead.filter { $0.value.since + days >= now }
    }

    /// The deleted record that a uid or a name means, with those deleted in the same act.
    package func deleted(_ who: String) throws(WhoError) -> [UID] {
        var uid = UID(who)
        let kept = kept
        if kept[uid] == nil {
            let name = PersonName(who)
            let fits = kept.filter { $0.value.name.map { PersonName($0).equals(name) } ?? false }
            guard let first = fits.max(by: { $0.value.time < $1.value.time }) else { throw .notFound(who) }
            let acts = Set(fits.values.map { [$0.time.bits.description, $0.session] })
            guard acts.count == 1 else { throw .ambiguous(who, fits.keys.sorted()) }
            uid = first.key
        }
        guard let note = kept[uid] else { throw .notFound(who) }
        return kept.filter { $0.value.time == note.time && $0.value.session == note.session }.keys.sorted()
    }
}
