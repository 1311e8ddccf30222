/// What the users of a round did, kept apart from all that daemons know: it says what must be there in the end, what
/// may be, and what must not.
///
/// Everything that users write is a value found nowhere else, so that a look into the bytes of files tells what is
/// there and where.
struct UserLog {
    /// Whether a contact is to be there.
    enum Presence {
        case there
        /// It was asked for and not acknowledged, or removed where an edit was made apart: there as a whole, or not.
        case open
        case gone
    }

    struct Contact {
        /// What it is recognized by: part of its name.
        let name: String
        var presence = Presence.there
        /// Values that somebody wrote and nobody who saw them took away.
        var wanted: Set<String>
        /// All values that ever were written into it.
        var known: Set<String>
        /// Contacts that were merged, at some time, have one number.
        var group: Int
        /// Values that the daemon may not have seen when the file was removed.
        var recent: Set<String> = []
        var isEdited = false
        var isRemoved = false
    }

    /// How a group of contacts that were merged stands.
    enum Union {
        case one, apart, open
    }

    private(set) var contacts: [Contact] = []
    private(set) var unions: [Int: Union] = [:]
    private var serial = 0
    /// What happened, for people.
    private(set) var story: [String] = []
    /// Deletions so far; more than five in an hour are held.
    private(set) var removals = 0

    mutating func note(_ line: String) { story.append(line) }

    /// A value that is found nowhere else; all are equally long, so none is part of another.
    mutating func mint() -> String {
        serial += 1
        return "v\(1000 + serial)"
    }

    /// A contact was written.
    ///
    /// - Parameter isSure: whether that has been acknowledged, or was a file.
    @discardableResult
    mutating func add(name: String, values: Set<String>, isSure: Bool) -> Int {
        var contact = Contact(
            name: name,
            wanted: values.union([name]),
            known: values.union([name]),
            group: contacts.count
        )
        if !isSure { contact.presence = .open }
        contact.isEdited = true
        contacts.append(contact)
        return contacts.count - 1
    }

    /// Values that stood in a text, and whose contact they are.
    func values(in text: String, of contact: Int) -> Set<String> {
        let group = contacts.indices.filter { contacts[$0].group == contacts[contact].group }
        return group.reduce(into: Set()) { found, member in
            found.formUnion(contacts[member].known.filter { text.contains($0) })
        }
    }

    /// A user who had read `before` saved `after`, with new values in it.
    mutating func edit(_ contact: Int, before: String, after: String, new: Set<String>) {
        let seen = values(in: before, of: contact)
        contacts[contact].known.formUnion(new)
        let left = values(in: after, of: contact)
        for member in contacts.indices where contacts[member].group == contacts[contact].group {
            contacts[member].wanted.subtract(seen.subtracting(left))
        }
        contacts[contact].wanted.formUnion(new)
        contacts[contact].recent.formUnion(new)
        contacts[contact].isEdited = true
        if contacts[contact].isRemoved {
            // An edit made apart from a deletion, or after it, wins with the whole contact as its file had it.
            contacts[contact].presence = .there
            contacts[contact].wanted.formIntersection(left)
        } else {
            // Its file was there to be read.
            contacts[contact].presence = .there
        }
    }

    /// A user removed a contact.
    mutating func remove(_ contact: Int, isSure: Bool) {
        removals += 1
        contacts[contact].presence = isSure && !contacts[contact].isEdited ? .gone : .open
        contacts[contact].isRemoved = true
        // Who saves a file and removes it at once has perhaps shown it to nobody.
        contacts[contact].wanted.subtract(contacts[contact].recent)
    }

    /// A user brought one back that had been removed.
    mutating func restore(_ contact: Int, isSure: Bool) {
        contacts[contact].presence = isSure ? .there : .open
        contacts[contact].isEdited = true
        contacts[contact].isRemoved = false
    }

    mutating func merge(_ a: Int, _ b: Int, isSure: Bool) {
        contacts[b].group = contacts[a].group
        unions[contacts[a].group] = isSure ? .one : .open
    }

    mutating func unmerge(_ a: Int, isSure: Bool) { unions[contacts[a].group] = isSure ? .apart : .open }

    /// All is at rest: what was open is as it is now, and whoever acts next has seen all of it.
    mutating func rest(files: [String: String]) {
        for at in contacts.indices {
            if contacts[at].presence == .open {
                contacts[at].presence =
                    files.values.contains { $0.contains(contacts[at].name) } ? .there : .gone
            }
            contacts[at].recent = []
            contacts[at].isEdited = false
            contacts[at].isRemoved = false
        }
        for (group, union) in unions where union == .open {
            let names = contacts.filter { $0.group == group }.map(\.name)
            let count = files.values.count { text in names.contains { text.contains($0) } }
            unions[group] = count == 1 ? .one : .apart
        }
    }

    /// The first thing that is not as it must be, in the bytes of one machine's files and what it lists as conflicts.
    func difference(files: [String: String], conflicts: String) -> String? {
        for contact in contacts {
            let homes = files.filter { $0.value.contains(contact.name) }.keys.sorted()
            let places = files.filter { file in contact.known.contains { file.value.contains($0) } }.keys
            switch contact.presence {
            case .gone:
                guard places.isEmpty else {
                    return "\(contact.name) was removed and is in \(places.sorted())"
                }
                continue
            case .open where places.isEmpty: continue
            case .open, .there: break
            }
            guard homes.count == 1 else {
                return homes.isEmpty ? "\(contact.name) is lost" : "\(contact.name) is in \(homes)"
            }
            let isAlone = unions[contact.group] == nil
            guard !isAlone || places.count == 1 else {
                return "values of \(contact.name) are in \(places.sorted())"
            }
            let lost = contact.wanted.filter { value in
                !conflicts.contains(value) && !files.values.contains { $0.contains(value) }
            }
            guard lost.isEmpty else { return "\(lost.sorted()) of \(contact.name) are lost" }
        }
        for (group, union) in unions {
            let members = contacts.filter { $0.group == group }
            let homes = members.map { contact in files.first { $0.value.contains(contact.name) }?.key }
            if union == .one, Set(homes).count != 1 { return "merged, but in \(homes)" }
            if union == .apart, Set(homes).count != homes.count { return "unmerged, but in \(homes)" }
        }
        return nil
    }
}
