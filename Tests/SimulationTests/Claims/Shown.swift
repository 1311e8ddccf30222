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

    /// What stands behind contacts that say any of this and is not shown itself: kept losers, and what was united with
    /// something that is shown. Who changes the contact means these too.
    static func behind(_ tokens: Set<String>, _ machine: Machine) -> Set<String> {
        let records = machine.life.map(records) ?? records(in: machine.stored)
        let persons = machine.life?.list.index.persons ?? Self.persons(of: records, policy: .phone)
        // Whom a file shows as one, or is about to, may be several by now, also while no daemon runs.
        let inFiles = machine.life.map { Self.shown($0.directory.files) } ?? []
        return (persons + inFiles + machine.stored.personsInFiles).reduce(into: Set()) { behind, person in
            let all = person.compactMap { records[$0] }
            let said = all.reduce(into: Set()) { $0.formUnion(Self.tokens($1)) }
            if !said.isDisjoint(with: tokens) {
                behind.formUnion(
                    said.subtracting(Tokens.all(in: JSONWriter.bytes(.object(PersonCard(all).card))))
                )
            }
        }
    }

    /// The records that each item of a directory's files shows as one.
    private static func shown(_ files: FileTable) -> [[UID]] {
        files.missing(from: []).flatMap { files[$0]?.items.map(\.uids) ?? [] }
    }

    /// All that records say which say any of this.
    static func with(_ tokens: Set<String>, _ machine: Machine) -> Set<String> {
        let records = machine.life.map(records) ?? records(in: machine.stored)
        return records.values.map { Self.tokens($0) }.filter { !$0.isDisjoint(with: tokens) }
            .reduce(into: Set()) { $0.formUnion($1) }
    }

    /// The records of a running daemon.
    static func records(_ life: Life) -> [UID: Record] {
        let uids = life.store.state.records.keys
        return Dictionary(
            uniqueKeysWithValues: uids.compactMap { uid in life.list.record(uid).map { (uid, $0) } }
        )
    }

    /// All that a record says on a machine, living or dead.
    static func said(of uid: UID, _ machine: Machine) -> Set<String> {
        let record = machine.life.map { $0.list.record(uid) } ?? records(in: machine.stored)[uid]
        return record.map { tokens($0) } ?? []
    }

    /// All that a machine's database holds.
    static func stored(_ machine: Machine) -> Set<String> {
        records(in: machine.stored).values.reduce(into: Set()) { $0.formUnion(tokens($1)) }
    }

    static func records(in state: StoreState) -> [UID: Record] {
        state.records.compactMapValues { row in
            guard let value = try? JSONReader.value(row.body, maxDepth: RecordLimits.depth) else {
                return nil
            }
            return try? RecordCoding.decode(value)
        }
    }

    /// Persons computed from nothing but the records.
    static func persons(of records: [UID: Record], policy: Policy) -> [[UID]] {
        var catalog = Catalog()
        for (uid, record) in records.sorted(by: { $0.key < $1.key }) where record.isAlive && !uid.isBook {
            catalog.replace(uid, with: Profile(record))
        }
        if let book = records[.book] {
            for (key, mark) in SharedMark.marks(in: book) { catalog.setShared(key, mark) }
        }
        return Judgement.persons(catalog, policy: policy)
    }

    private static func tokens(_ record: Record) -> Set<String> {
        Tokens.all(in: JSONWriter.bytes(RecordCoding.encode(record)))
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
