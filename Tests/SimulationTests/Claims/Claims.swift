import AddressBook
import Contacts
import Controllers
import JSON
import Replication

/// A claim that does not hold.
struct BrokenClaim: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// All that must hold when everything has healed.
struct Claims {
    private let run: Run
    private let world: World
    private let lists: [(name: String, life: Life, folder: MemoryFolder)]

    init(_ run: Run) {
        self.run = run
        world = run.world
        lists = run.world.machines.compactMap { machine in
            machine.life.map { (machine.name, $0, machine.folder) }
        }
    }

    func afterHealing() throws {
        try statesAreEqual()
        try nothingIsLost()
        try nothingComesBack()
        try directoriesSayWhatBooksSay()
    }

    private func statesAreEqual() throws {
        for (name, life, _) in lists {
            // The index is kept up to date a change at a time; it must be what all records together give.
            let plain = Shown.persons(of: Shown.records(life), policy: .phone)
            guard life.list.index.persons == plain else {
                let same = Judgement.persons(life.list.index.catalog, policy: .phone)
                throw BrokenClaim(
                    "persons on \(name) are \(life.list.index.persons.map { $0.map(\.text) }), not \(plain.map { $0.map(\.text) });"
                        + " by its catalog \(same.map { $0.map(\.text) })"
                )
            }
        }
        let first = lists[0].life.list
        let uids = Set(lists.flatMap { $0.life.store.state.records.keys }).sorted()
        for (name, life, _) in lists.dropFirst() {
            for uid in uids {
                guard let a = first.record(uid), let b = life.list.record(uid) else {
                    throw BrokenClaim("record \(uid.text) is on one of a and \(name) only")
                }
                guard a.isAlive == b.isAlive, a.digestHash(world.hash) == b.digestHash(world.hash) else {
                    throw BrokenClaim("record \(uid.text) differs on a and \(name):\n\(text(a))\n\(text(b))")
                }
            }
            guard first.index.persons == life.list.index.persons else {
                throw BrokenClaim(
                    "persons differ on a and \(name): \(first.index.persons.map { $0.map(\.text) }) and \(life.list.index.persons.map { $0.map(\.text) })"
                )
            }
            guard first.digest == life.list.digest else {
                throw BrokenClaim("digests of a and \(name) differ")
            }
            let differing = world.links.flatMap { $0.ends.flatMap { $0.feed?.different ?? [] } }
            guard differing.isEmpty else {
                throw BrokenClaim("feeds say that \(differing.map(\.text)) differ")
            }
        }
    }

    private func text(_ record: Record) -> String { JSONWriter.text(RecordCoding.encode(record)) }

    private func nothingIsLost() throws {
        for (name, life, _) in lists {
            let lost = run.oracle.kept.subtracting(Shown.living(life.list)).subtracting(Shown.dead(life.list))
            guard !lost.isEmpty else { continue }
            let records = life.store.state.records.keys.sorted().compactMap { life.list.record($0) }
            throw BrokenClaim(
                "lost on \(name): \(lost.sorted()); records:\n"
                    + records.map { text($0) }.joined(separator: "\n")
            )
        }
    }

    private func nothingComesBack() throws {
        let buried = run.oracle.buriedNow(Shown.persons(lists[0].life.list))
        for (name, life, _) in lists {
            let back = buried.intersection(Shown.living(life.list))
            guard !back.isEmpty else { continue }
            let records = life.store.state.records.keys.sorted().compactMap { life.list.record($0) }
                .filter { !Tokens.all(in: Array(text($0).utf8)).isDisjoint(with: back) }
            throw BrokenClaim(
                "came back on \(name): \(back.sorted()); records:\n"
                    + records.map { text($0) }.joined(separator: "\n")
            )
        }
    }

    private func content(_ card: PersonCard) -> ContentHash {
        Base(card, records: [], time: 0, hash: world.hash).content(world.hash)
    }

    private func directoriesSayWhatBooksSay() throws {
        let keys = DigitKeys()
        for (name, life, folder) in lists {
            var meant: [ContentHash: Int] = [:]
            var byEntries: [String: ContentHash] = [:]
            for person in life.list.index.persons {
                guard let card = life.list.card(ofPersonWith: person[0]) else { continue }
                let content = content(card)
                meant[content, default: 0] += 1
                byEntries[entries(card.card)] = content
            }
            var said: [ContentHash: Int] = [:]
            for (file, content) in folder.files.sorted(by: { $0.key < $1.key }) {
                guard let parsed = try? ParsedFile(content.bytes), parsed.flaws.isEmpty else {
                    throw BrokenClaim(
                        "\(file) on \(name) cannot be read: \(String(decoding: content.bytes, as: UTF8.self))"
                    )
                }
                for item in parsed.items {
                    let saved = SavedCard(
                        item.contact.card,
                        isPlain: item.contact.form == .plain,
                        hash: world.hash,
                        phoneKey: { keys.key(of: $0, region: nil) }
                    )
                    let content = saved.content(world.hash)
                    let key = saved.isPlain ? byEntries[entries(item.contact.card)] ?? content : content
                    said[key, default: 0] += 1
                }
            }
            guard Set(said.keys) == Set(meant.keys) else {
                let missing = life.list.index.persons.compactMap { life.list.card(ofPersonWith: $0[0]) }
                    .filter { said[content($0)] == nil }
                throw BrokenClaim(
                    "the directory of \(name) does not say what its book says; missing: "
                        + missing.map { JSONWriter.text(.object($0.card)) }.joined(separator: "\n")
                        + "; files: "
                        + folder.files.sorted { $0.key < $1.key }.map {
                            "\($0.key) "
                                + String(decoding: $0.value.bytes, as: UTF8.self).filter { $0 != "\n" }
                        }.joined(separator: "\n")
                )
            }
            if !run.mayClash, said != meant { throw BrokenClaim("not one file a person on \(name)") }
        }
    }

    /// What a card says with its entries in no order and under no Ids: the plain form has none.
    private func entries(_ card: JSONObject) -> String {
        var said = card
        for name in ["@type", "uid", "updated", "version"] { said[name] = nil }
        for member in ["phones", "emails"] {
            guard let values = said[member]?.object else { continue }
            said[member] = .array(values.map { JSONWriter.text($0.value) }.sorted().map { .string($0) })
        }
        return world.hash.hash(.object(said)).hex
    }
}
