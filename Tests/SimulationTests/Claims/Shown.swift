import AddressBook
import Controllers
import JSON
import Replication

/// What people can find of a contact on one machine.
enum Shown {
    /// The card and the conflicts of the persons of these records, each as text.
    static func texts(of uids: [UID], _ list: ListController) -> [[UInt8]] {
        var out: [[UInt8]] = []
        for uid in uids {
            guard let card = list.card(ofPersonWith: uid) else { continue }
            out.append(text(card))
        }
        return out
    }

    static func text(_ card: PersonCard) -> [UInt8] {
        var out = JSONWriter.bytes(.object(card.card))
        for conflict in card.conflicts {
            for other in conflict.others { out += JSONWriter.bytes(other.version.value ?? .null) }
        }
        return out
    }

    /// The conflicts of the persons that say any of this.
    static func conflicts(of tokens: Set<String>, _ list: ListController) -> [[UInt8]] {
        list.index.persons.compactMap { person in
            guard let card = list.card(ofPersonWith: person[0]),
                !Tokens.all(in: text(card)).isDisjoint(with: tokens)
            else { return nil }
            return card.conflicts.flatMap { conflict in
                conflict.others.flatMap { JSONWriter.bytes($0.version.value ?? .null) }
            }
        }
    }

    /// All that living persons say: shown, or kept as conflicts.
    static func living(_ list: ListController) -> Set<String> {
        persons(list).reduce(into: Set()) { $0.formUnion($1) }
    }

    /// The same, person by person.
    static func persons(_ list: ListController) -> [Set<String>] {
        list.index.persons.flatMap { texts(of: [$0[0]], list).map { Tokens.all(in: $0) } }
    }

    /// What the records of the deleted keep.
    static func dead(_ list: ListController) -> Set<String> {
        list.dead.keys.reduce(into: Set()) { tokens, uid in
            guard let record = list.record(uid) else { return }
            tokens.formUnion(Tokens.all(in: JSONWriter.bytes(RecordCoding.encode(record))))
        }
    }

    /// What the persons say whose deletion waits for a word.
    static func pending(_ life: Life) -> [[UInt8]] {
        let peers = life.list.held.keys.flatMap { life.list.heldPersons(from: $0) }
        return texts(of: life.directory.pendingDeletions + peers, life.list)
    }
}
