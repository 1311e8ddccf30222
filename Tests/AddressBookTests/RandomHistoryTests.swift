import AddressBook
import Contacts
import JSON
import Replication
import TestSupport
import Testing

/// Random histories of three to five machines from a seed: adds, edits of what was opened before, removals,
/// deletions, merges, splits, restarts, lost databases, forgetting; deliveries in any order, again, or never.
@Suite("Random histories")
struct RandomHistoryTests {
    @Test("any history converges, ends, and nothing vanishes that nobody removed", arguments: 0..<UInt64(12))
    func converges(part: UInt64) {
        for seed in part * 8..<(part + 1) * 8 {
            var history = RandomHistory(seed: seed)
            let fault = history.run()
            #expect(fault == nil, "seed \(seed): \(fault ?? "")\n\(history.log.joined(separator: "\n"))")
            if fault != nil { return }
        }
    }

    @Test("cards in any order, on one machine or three, give the same persons", arguments: Policy.allCases)
    func order(policy: Policy) {
        for seed in UInt64(0)..<20 {
            var random = SeededGenerator(seed: seed)
            let cards = (0..<(3 + random.below(4))).map { RandomHistory.card(&random, $0, 3) }
            var seen: Set<[String]> = []
            for _ in 0..<6 {
                let machine = HistoryMachine(1, policy)
                for card in cards.shuffled(using: &random) { machine.add(card.uid, card.name, card.numbers) }
                #expect(!machine.look())
                seen.insert(machine.persons().map { $0.map(\.text).joined(separator: " ") }.sorted())
            }
            let three = [HistoryMachine(1, policy), HistoryMachine(2, policy), HistoryMachine(3, policy)]
            for card in cards { three[random.below(3)].add(card.uid, card.name, card.numbers) }
            #expect(settle(three) == nil)
            seen.insert(three[0].persons().map { $0.map(\.text).joined(separator: " ") }.sorted())
            #expect(seen.count == 1, "seed \(seed): \(cards)")
        }
    }
}

/// One history, with a plain log of what users did as its oracle.
struct RandomHistory {
    private var random: SeededGenerator
    private var machines: [HistoryMachine]
    private(set) var log: [String] = []
    private var opened: [(machine: HistoryMachine, version: Opened)] = []
    private var bag: [Record] = []
    /// Values that somebody wrote: the record, the text, and why.
    private var given: [String: (uid: UID, text: String, dot: Dot)] = [:]
    private var taken: Set<String> = []
    private var ended: Set<UID> = []
    /// The `@alive` dots that somebody wrote and nobody who had seen them wrote over or deleted.
    private var words: [Dot: UID] = [:]
    private var made = 0
    private let numbers: Int

    private static let names = ["Ana", "Ana Holm", "Ana Iken", "Bob Yates", "B Yates", "Zoe", ""]

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        let count = 3 + random.below(3)
        let policies: [Policy] = [.phone, .phone, .careful, .suggest]
        machines = []
        for name in 0..<count { machines.append(HistoryMachine(UInt64(name + 1), policies[random.below(4)])) }
        numbers = [2, 3, 6][random.below(3)]
    }

    static func card(_ random: inout SeededGenerator, _ number: Int, _ numbers: Int) -> (
        uid: String, name: String, numbers: [String]
    ) {
        var list: [String] = []
        for _ in 0..<[0, 1, 1, 2, 2, 3][random.below(6)] {
            let phone = "+\(random.below(numbers))"
            if !list.contains(phone) { list.append(phone) }
        }
        return ("f\(random.below(100))-\(number)", names[random.below(names.count)], list)
    }

    /// Runs it; what is wrong, or nil.
    mutating func run() -> String? {
        for step in 0..<[5, 8, 12, 20, 40][random.below(5)] {
            act(step)
            for _ in 0..<random.below(5) where !bag.isEmpty {
                let place = random.below(bag.count)
                let record = bag[place]
                if random.chance(0.6) { bag.remove(at: place) }
                let machine = machines[random.below(machines.count)]
                guard random.chance(0.9), !machine.isLost else { continue }
                machine.receive(record)
                machine.look()
                log.append("\(machine.name) gets \(record.uid)")
            }
        }
        if let fault = settle(machines) { return fault }
        for machine in machines {
            let persons = machine.persons()
            let place = Dictionary(
                uniqueKeysWithValues: persons.enumerated().flatMap { at, person in person.map { ($0, at) } }
            )
            if let word = words.first(where: { place[$0.value] == nil }) {
                return "\(word.value) is gone, though nobody who saw \(word.key) deleted it"
            }
            for (key, value) in given where !taken.contains(key) {
                guard !(machine.records[value.uid]?.hasForgottenValues ?? true) else { continue }
                guard let at = place[value.uid] else {
                    if !ended.contains(value.uid) { return "\(value.uid) is gone, nobody deleted it" }
                    continue
                }
                if !machine.said(persons[at]).contains("\"\(value.text)\"") {
                    return "lost from \(value.uid): \(value.text) on \(machine.name)"
                }
            }
        }
        return nil
    }

    private mutating func act(_ step: Int) {
        let machine = machines[random.below(machines.count)]
        if machine.isLost {
            machine.comeBack()
            log.append("\(machine.name) comes back with a new database and its old files")
            return
        }
        let persons = machine.persons()
        let dice = random.below(100)
        switch dice {
        case ..<22:
            add(machine, step)
        case _ where persons.isEmpty:
            add(machine, step)
        case ..<36:
            let person = persons[random.below(persons.count)]
            opened.append((machine, machine.open(person)))
            log.append("\(machine.name) opens \(person)")
        case ..<58 where !opened.isEmpty:
            edit(step)
        case ..<64:
            var version = machine.open(persons[random.below(persons.count)])
            let stale = opened.indices.filter { opened[$0].machine === machine }
            if let first = stale.first, random.chance(0.4) { version = opened.remove(at: first).version }
            delete(machine, version)
        case ..<68:
            machine.forget()
            log.append("\(machine.name) forgets what is dead")
        case ..<73:
            guard let person = persons.first(where: { $0.count > 1 }) else { return }
            let uid = person[random.below(person.count)]
            machine.unmerge(person, uid.text)
            log.append("\(machine.name) unmerges \(uid) from \(person)")
        case ..<77 where persons.count > 1:
            let pair = persons.shuffled(using: &random)
            machine.merge(pair[0], pair[1])
            log.append("\(machine.name) merges \(pair[0]) \(pair[1])")
        case ..<80:
            let number = "+\(random.below(6))"
            let mark: SharedMark = random.chance(0.5) ? .yes : .no
            machine.share(number, mark)
            log.append("\(machine.name) shared \(number) \(mark)")
        case ..<82:
            machine.start()
            log.append("\(machine.name) restarts")
        case ..<84 where machines.count > 2:
            guard let other = machines.first(where: { $0 !== machine && !$0.isLost }) else { return }
            for record in machine.records.values { other.receive(record) }
            machine.lose()
            opened.removeAll { $0.machine === machine }
            log.append("\(machine.name) loses its database; \(other.name) has what it had")
        default:
            bag += machine.records.values.sorted { $0.uid < $1.uid }
            log.append("\(machine.name) sends")
        }
    }

    private mutating func add(_ machine: HistoryMachine, _ step: Int) {
        let card = Self.card(&random, made, numbers)
        made += 1
        let before = machine.counter
        machine.add(card.uid, card.name, card.numbers, note: "n\(step)")
        log.append("\(machine.name)(\(machine.policy)) adds \(card), note n\(step)")
        noteGiven(machine, after: before)
    }

    private mutating func delete(_ machine: HistoryMachine, _ version: Opened) {
        for dots in version.base.alive.values { for dot in dots { words[dot] = nil } }
        machine.delete(version)
        ended.formUnion(version.base.uids)
        log.append("\(machine.name) deletes \(version.base.uids)")
    }

    private mutating func edit(_ step: Int) {
        let (machine, version) = opened.remove(at: random.below(opened.count))
        guard !machine.isLost,
            version.base.uids.allSatisfy({
                machine.records[$0] != nil && !(machine.records[$0]?.hasForgottenValues ?? true)
            })
        else { return }
        let keys = version.items.keys.sorted()
        let key: FieldKey
        let value: JSONValue?
        switch random.below(4) {
        case 0: (key, value) = (HistoryMachine.note, .string("v\(step)"))
        case 1: (key, value) = (.name, ["full": .string("v\(step)")])
        case 2:
            (key, value) = (
                FieldKey(member: "phones", entry: "new\(step)"), HistoryMachine.number("+\(random.below(6))")
            )
        default:
            key = keys[random.below(keys.count)]
            let isPhone = key.member == "phones"
            guard isPhone || key.member == "nicknames" else { return }
            value = isPhone && random.chance(0.5) ? HistoryMachine.number("+\(random.below(6))") : nil
        }
        // Who saves sees what the item stands for, and takes it away.
        for source in version.base.items[key]?.sources ?? [] { take(machine, source) }
        for dots in version.base.alive.values { for dot in dots { words[dot] = nil } }
        let before = machine.counter
        let after = machine.save(version, [key: value])
        log.append(
            "\(machine.name) saves \(version.base.uids), opened before: \(key) -> \(value.map { JSONWriter.text($0) } ?? "nothing")"
        )
        noteGiven(machine, after: before)
        // The file may be edited again, or go, before it is written anew.
        switch random.below(6) {
        case ..<3: opened.append((machine, after))
        case 3: delete(machine, after)
        default: break
        }
    }

    private mutating func take(_ machine: HistoryMachine, _ source: Source) {
        guard let value = machine.records[source.uid]?.fields[source.key]?[source.dot]?.value,
            let text = Self.text(value)
        else { return }
        taken.insert("\(source.uid)/\(text)")
    }

    private mutating func noteGiven(_ machine: HistoryMachine, after counter: UInt64) {
        for (uid, record) in machine.records {
            for dot in (record.fields[.alive] ?? [:]).keys
            where dot.replica == machine.replica && dot.counter > counter {
                words[dot] = uid
            }
            for (key, versions) in record.fields where !key.isOwn {
                for (dot, version) in versions where dot.replica == machine.replica && dot.counter > counter {
                    guard let text = version.value.flatMap(Self.text) else { continue }
                    given["\(uid)/\(text)"] = (uid, text, dot)
                    taken.remove("\(uid)/\(text)")
                }
            }
        }
    }

    private static func text(_ value: JSONValue) -> String? {
        value.string ?? value.object?["number"]?.string ?? value.object?["full"]?.string
            ?? value.object?["name"]?.string
    }
}
