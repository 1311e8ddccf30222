import AddressBook
import Contacts
import JSON
import Replication

/// Deciding: which person is kept in which file, and what has to change for it.
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

    /// What has to change where a person is shown.
    func decide(_ person: [UID], _ plan: inout Plan) {
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

    /// What has to change where nobody of a record is left.
    func decide(dead uid: UID, _ plan: inout Plan) {
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
}
