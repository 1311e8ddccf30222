/// Joins records, which nothing connects with others, into persons: the three steps of DESIGN.md 4.
///
/// The page goes through pairs in sorted order. Records with equal name and kind on a number have the same
/// candidates there, and what a pair decides stays decided: clusters only grow, and two that may not be one never
/// may. So once one record of such a group had its turn, another of its cluster there has nothing left to decide,
/// and a number with thousands of records of one name costs thousands of steps, not millions.
struct Clustering {
    /// The records in the order of their uids; below a record is its place in here.
    private let slots: [UInt32]
    private var evidence: Evidence
    private var clusterOf: [Int]
    private var clusters: [Cluster]

    private struct Cluster {
        var members: [Int]
        /// The kind of all members, nil if there are several.
        var kind: UInt32?
        var names: [UInt32]
        /// Records that people told apart from members.
        var apart: [Int]
    }

    /// Records with equal name and kind on one number.
    private struct Group {
        let of: NameOnNumber
        var members: [Int] = []
        /// Members that had a turn while no earlier one was in their cluster.
        var leaders: [Int] = []
    }
    private var groups: [Group] = []
    private var groupAt: [NameOnNumber: Int] = [:]
    private var groupsOf: [[Int]]

    /// Judges records that are alive and closed under candidates and people's pairs.
    ///
    /// - Returns: the persons, each as its records in the order of uids.
    static func persons(_ slots: [UInt32], _ evidence: inout Evidence) -> [[UInt32]] {
        if slots.count == 1 { return [slots] }
        // Moved in and out, so that what is known of the numbers is never copied.
        var clustering = Clustering(slots, consume evidence)
        clustering.joinWhatPeopleJoined()
        clustering.joinEqualNames()
        clustering.joinOtherCandidates()
        evidence = clustering.evidence
        return clustering.clusters.filter { !$0.members.isEmpty }.map { cluster in
            cluster.members.sorted().map { clustering.slots[$0] }
        }
    }

    private init(_ unsorted: [UInt32], _ evidence: Evidence) {
        let catalog = evidence.catalog
        let slots = unsorted.sorted { catalog.precedes($0, $1) }
        let place = Dictionary(uniqueKeysWithValues: zip(slots, slots.indices))
        self.slots = slots
        self.evidence = evidence
        clusterOf = Array(slots.indices)
        clusters = slots.indices.map { at in
            Cluster(
                members: [at],
                kind: catalog.kind(slots[at]),
                names: [catalog.name(slots[at])],
                apart: catalog.apart(slots[at]).compactMap { place[$0] }
            )
        }
        groupsOf = .init(repeating: [], count: slots.count)
        for (at, slot) in slots.enumerated() where evidence.takesPart(slot) {
            for key in catalog.phones(slot) where catalog.slots(on: key).count > 1 {
                let name = NameOnNumber(key: key, name: catalog.name(slot), kind: catalog.kind(slot))
                let group: Int
                if let known = groupAt[name] {
                    group = known
                } else {
                    group = groups.count
                    groupAt[name] = group
                    groups.append(Group(of: name))
                }
                groups[group].members.append(at)
                groupsOf[at].append(group)
            }
        }
    }

    // MARK: The three steps

    private mutating func joinWhatPeopleJoined() {
        let catalog = evidence.catalog
        for (at, slot) in slots.enumerated() {
            let same = catalog.same(slot)
            guard !same.isEmpty else { continue }
            let wanted = Set(same)
            // Each pair at its smaller uid. There are few, and `same` is closed, so all are among `slots`.
            for other in wanted.sorted(by: { catalog.precedes($0, $1) }) where catalog.precedes(slot, other) {
                join(at, place(of: other), withEvidence: false)
            }
        }
    }

    private mutating func joinEqualNames() {
        sweep(withEvidence: false) { clustering, group in
            clustering.evidence.catalog.isNameless(clustering.groups[group].of.name) ? [] : [group]
        }
    }

    private mutating func joinOtherCandidates() {
        sweep(withEvidence: true) { clustering, group in
            let of = clustering.groups[group].of
            let number = clustering.evidence.number(of.key)
            let own = number.place(of.name)
            return number.fitting(own).compactMap { fitting in
                // Equal names had their turn, only those without name did not.
                guard fitting != own || clustering.evidence.catalog.isNameless(of.name) else { return nil }
                return clustering.groupAt[
                    NameOnNumber(key: of.key, name: number.names[fitting], kind: of.kind)
                ]
            }
        }
    }

    /// Goes through the pairs of records in sorted order, leaving out what cannot decide anything any more.
    ///
    /// - Parameter partners: the groups whose records are candidates of the records of a group.
    private mutating func sweep(withEvidence: Bool, _ partners: (inout Self, Int) -> [Int]) {
        for group in groups.indices { groups[group].leaders = [] }
        for at in slots.indices {
            var candidates: [Int] = []
            for group in groupsOf[at] {
                let own = clusterOf[at]
                if groups[group].leaders.contains(where: { clusterOf[$0] == own }) { continue }
                groups[group].leaders.append(at)
                for partner in partners(&self, group) {
                    let members = groups[partner].members
                    candidates += members[Self.firstPlace(in: members, after: at)...]
                }
            }
            guard !candidates.isEmpty else { continue }
            if groupsOf[at].count > 1 || withEvidence { candidates.sort() }
            // What may not be one with this record's cluster never may, however the cluster grows.
            var refused: Set<Int> = []
            for other in candidates
            where clusterOf[other] != clusterOf[at] && !refused.contains(clusterOf[other]) {
                // Nothing is left to decide for who is whole.
                if clusters[clusterOf[at]].members.count == Catalog.recordsOfPerson { break }
                if !join(at, other, withEvidence: withEvidence) { refused.insert(clusterOf[other]) }
            }
        }
    }

    // MARK: Joining

    /// Makes one cluster of two, if nothing stands against it.
    @discardableResult
    private mutating func join(_ a: Int, _ b: Int, withEvidence: Bool) -> Bool {
        let (x, y) = (clusterOf[a], clusterOf[b])
        if x == y { return true }
        if clusters[x].members.count + clusters[y].members.count > Catalog.recordsOfPerson { return false }
        if areToldApart(x, y) || withEvidence && isAgainst(x, y) { return false }
        let (into, from) = clusters[x].members.count >= clusters[y].members.count ? (x, y) : (y, x)
        let moved = clusters[from]
        for member in moved.members { clusterOf[member] = into }
        clusters[into].members += moved.members
        clusters[into].apart += moved.apart
        for name in moved.names where !clusters[into].names.contains(name) {
            clusters[into].names.append(name)
        }
        if clusters[into].kind != moved.kind { clusters[into].kind = nil }
        clusters[from] = Cluster(members: [], kind: nil, names: [], apart: [])
        return true
    }

    /// Whether joining would bring together two records that are told apart.
    private func areToldApart(_ x: Int, _ y: Int) -> Bool {
        let (few, other) = clusters[x].apart.count <= clusters[y].apart.count ? (x, y) : (y, x)
        return clusters[few].apart.contains { clusterOf[$0] == other }
    }

    /// Whether joining would bring together two records that evidence sets against each other.
    private mutating func isAgainst(_ x: Int, _ y: Int) -> Bool {
        guard let kind = clusters[x].kind, kind == clusters[y].kind else { return true }
        for a in clusters[x].names {
            for b in clusters[y].names where !evidence.areCompatible(a, b) {
                if evidence.policy == .careful || areAgainst(a, in: x, b, in: y) { return true }
            }
        }
        return false
    }

    /// Whether a record of one name and one of the other share numbers, and go together on none of them.
    private mutating func areAgainst(_ a: UInt32, in x: Int, _ b: UInt32, in y: Int) -> Bool {
        let catalog = evidence.catalog
        func phones(_ name: UInt32, _ cluster: Int) -> [[UInt32]] {
            clusters[cluster].members.map { slots[$0] }.filter { catalog.name($0) == name }
                .map { slot in catalog.phones(slot).filter { catalog.slots(on: $0).count > 1 } }
        }
        let (ofA, ofB) = (phones(a, x), phones(b, y))
        let shared = Set(ofA.joined()).intersection(ofB.joined())
        guard !shared.isEmpty else { return false }
        if clusters[x].kind == catalog.groupKind { return true }
        let good = shared.filter { evidence.fits($0, a, b) }
        if good.count == shared.count { return false }
        if good.isEmpty { return true }
        // Records that share the same numbers with the other side are alike: each set once.
        let setsA = Set(ofA.map { shared.intersection($0) }), setsB = Set(ofB.map { shared.intersection($0) })
        return setsA.contains { mine in
            setsB.contains { theirs in
                let both = mine.intersection(theirs)
                return !both.isEmpty && both.isDisjoint(with: good)
            }
        }
    }

    // MARK: Places

    /// The place of a record that is known to be among `slots`.
    private func place(of slot: UInt32) -> Int {
        let catalog = evidence.catalog
        var (low, high) = (0, slots.count)
        while low < high {
            let middle = (low + high) / 2
            if catalog.precedes(slots[middle], slot) { low = middle + 1 } else { high = middle }
        }
        precondition(low < slots.count && slots[low] == slot, "what is judged is closed under people's pairs")
        return low
    }

    /// Where the places greater than one begin in a sorted list.
    private static func firstPlace(in sorted: [Int], after place: Int) -> Int {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] <= place { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
