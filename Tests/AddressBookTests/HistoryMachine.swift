import AddressBook
import Contacts
import JSON
import Replication
import TestSupport

/// What a file of a machine showed when an editor opened it.
struct Opened {
    var base: Base
    var items: [FieldKey: JSONValue]
    var card: PersonCard
}

/// One machine of a history: records, a clock, a replica for each start; as the model's `Machine`, on our own code.
final class HistoryMachine {
    let name: UInt64
    let policy: Policy
    private(set) var records: [UID: Record] = [:]
    private(set) var replica = ReplicaID(0)
    private(set) var counter: UInt64 = 0
    private var starts: UInt64 = 0
    private var time: UInt64 = 0
    /// The files that lie there while the database is lost.
    private var lost: [Opened]?

    init(_ name: UInt64, _ policy: Policy = .phone) {
        self.name = name
        self.policy = policy
        start()
    }

    func start() {
        starts += 1
        replica = ReplicaID(name << 32 | starts)
        counter = 0
    }

    var isLost: Bool { lost != nil }

    static func number(_ number: String, marked: Bool = false) -> JSONValue {
        marked ? ["number": .string(number), "features": ["fax": true]] : ["number": .string(number)]
    }

    static let note = FieldKey(member: "note")

    func write(isFirstScan: Bool = false, _ body: (inout RecordEditor) -> Void) {
        if !isFirstScan { time += 1 }
        var editor = RecordEditor(
            time: isFirstScan ? .zero : HybridTime(bits: time),
            session: "s",
            hash: .test,
            mint: { [self] in
                counter += 1
                return Dot(replica: replica, counter: counter)
            },
            load: { [self] in records[$0] }
        )
        body(&editor)
        for uid in editor.changed { records[uid] = editor.record(uid) }
    }

    func saved(_ items: [FieldKey: JSONValue]) -> SavedCard {
        let card = CardFields.join(items.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        return SavedCard(card, isPlain: false, hash: .test) { $0.hasPrefix("+") ? $0 : nil }
    }

    func add(
        _ uid: String,
        _ name: String,
        _ numbers: [String],
        note: String? = nil,
        marked: Bool = false,
        kind: String? = nil,
        isFirstScan: Bool = false
    ) {
        var items: [FieldKey: JSONValue] = [:]
        if !name.isEmpty { items[.name] = ["full": .string(name)] }
        if let note { items[Self.note] = .string(note) }
        if let kind { items[FieldKey(member: "kind")] = .string(kind) }
        for (at, number) in numbers.enumerated() {
            items[FieldKey(member: "phones", entry: "p\(at)")] = Self.number(number, marked: marked)
        }
        write(isFirstScan: isFirstScan) { $0.add(UID(uid), saved(items)) }
        if !isFirstScan { look() }
    }

    // MARK: Persons

    var catalog: Catalog {
        var catalog = Catalog()
        for (uid, record) in records {
            if uid.isBook {
                for (key, mark) in SharedMark.marks(in: record) { catalog.setShared(key, mark) }
            } else if record.isAlive {
                catalog.replace(uid, with: Profile(record))
            }
        }
        return catalog
    }

    func persons(_ policy: Policy? = nil) -> [[UID]] {
        Judgement.persons(catalog, policy: policy ?? self.policy)
    }

    func person(_ uid: String) -> [UID] { persons().first { $0.contains(UID(uid)) } ?? [] }

    func card(_ person: [UID]) -> PersonCard {
        PersonCard(PersonCard.ordered(person.compactMap { records[$0] }))
    }

    func open(_ person: [UID]) -> Opened {
        let card = card(person)
        let base = Base(card, records: person.compactMap { records[$0] }, time: time, hash: .test)
        return Opened(
            base: base,
            items: Dictionary(uniqueKeysWithValues: card.items.map { ($0.key, $0.value.value) }),
            card: card
        )
    }

    /// A pass: writes down the switchboards that are found.
    @discardableResult
    func look() -> Bool {
        let found = Judgement.findings(catalog)
        guard !found.isEmpty else { return false }
        write { editor in for key in found { editor.share(key, .found) } }
        return true
    }

    // MARK: What people do

    /// Saves what was opened before, with changes.
    ///
    /// - Returns: what the file now shows, until it is written anew.
    @discardableResult
    func save(_ opened: Opened, _ changes: [FieldKey: JSONValue?]) -> Opened {
        var after = opened
        for (key, value) in changes { after.items[key] = value }
        let edit = CardEdit(saved(after.items), bases: [opened.base])
        write { editor in
            editor.edit(edit)
            after.base = Base(after: edit, editor: &editor, time: time)
        }
        look()
        return after
    }

    func save(_ uid: String, _ changes: [FieldKey: JSONValue?]) { save(open(person(uid)), changes) }

    func delete(_ opened: Opened) { write { $0.delete(opened.base.alive) } }

    func merge(_ a: [UID], _ b: [UID]) {
        write { $0.merge(a, b) }
        look()
    }

    func unmerge(_ person: [UID], _ uid: String) {
        write { $0.distinguish([UID(uid)], person.filter { $0 != UID(uid) }) }
    }

    func share(_ key: String, _ mark: SharedMark) {
        write { $0.share(key, mark) }
        look()
    }

    func forget() { for uid in records.keys { _ = records[uid]?.forget() } }

    func dropAlive(_ uid: String) {
        write { $0.delete([UID(uid): Array((records[UID(uid)]?.fields[.alive] ?? [:]).keys)]) }
    }

    // MARK: Others

    func receive(_ record: Record) {
        var own = records[record.uid] ?? Record(uid: record.uid)
        _ = own.join(record, hash: .test)
        records[record.uid] = own
        for versions in record.fields.values {
            for version in versions.values { time = max(time, version.time.bits) }
        }
    }

    func give(to other: HistoryMachine) {
        for record in records.values { other.receive(record) }
        other.look()
    }

    /// The database is gone; the files stay.
    func lose() {
        lost = persons().map { open($0) }
        records = [:]
        time = 0
    }

    /// A new database reads the files that lie there.
    func comeBack() {
        guard let files = lost else { return }
        lost = nil
        start()
        for file in files { write(isFirstScan: true) { $0.add(file.card.uid, saved(file.items)) } }
    }

    /// All that two machines must agree on, as text.
    func cards(_ policy: Policy) -> [String] {
        persons(policy).map { person in
            let card = card(person)
            return JSONWriter.text(
                [.string(card.uid.text), .array(person.map { .string($0.text) }), .object(card.card)],
                .canonical
            )
        }.sorted()
    }

    /// Every text that a person can still read of a contact: its card, and what is kept beside it.
    func said(_ person: [UID]) -> String {
        let card = card(person)
        let kept = card.conflicts.flatMap { $0.others.map { JSONWriter.text($0.version.value ?? .null) } }
        return JSONWriter.text(.object(card.card)) + kept.joined()
    }
}

/// Full exchange until silent, as the model's `settle`: what is wrong, or nil.
func settle(_ machines: [HistoryMachine]) -> String? {
    for machine in machines { machine.comeBack() }
    var isSilent = false
    for _ in 0..<10 where !isSilent {
        let before = machines.map(\.records)
        for a in machines { for b in machines where a !== b { b.give(to: a) } }
        isSilent = before == machines.map(\.records)
    }
    if !isSilent { return "no end of writing" }
    for machine in machines.dropFirst() where machine.records != machines[0].records {
        return "states differ"
    }
    for policy in Policy.allCases where Set(machines.map { $0.cards(policy) }).count > 1 {
        return "cards differ under \(policy)"
    }
    for policy in Policy.allCases {
        let index = PersonsIndex(catalog: machines[0].catalog, policy: policy)
        let plain = machines[0].persons(policy).sorted { $0[0] < $1[0] }
        if index.persons.sorted(by: { $0[0] < $1[0] }) != plain { return "the index differs under \(policy)" }
    }
    return machines.contains { $0.look() } ? "a second pass writes" : nil
}
