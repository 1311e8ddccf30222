/// The members of a JSON object in the order they were written; names are unique and compared by code point.
package struct JSONObject: Sendable {
    /// One member.
    package struct Member: Sendable {
        package var key: String
        package var value: JSONValue

        package init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// The members in order; no two have the same key.
    package private(set) var members: [Member]

    /// Where each key is, kept for objects of more than `fewMembers`; below that looking along the row is quicker.
    private var places: [ExactString: Int]?

    private static let fewMembers = 16

    package init() { members = [] }

    /// Takes members whose keys the caller knows to be unique (the parser checked it).
    package init(uniqueMembers: [Member]) {
        members = uniqueMembers
        indexIfLarge()
    }

    package var isEmpty: Bool { members.isEmpty }
    package var count: Int { members.count }

    /// The keys in order.
    package var keys: [String] { members.map(\.key) }

    /// Reads, replaces in place, appends, or (with nil) removes a member.
    package subscript(key: String) -> JSONValue? {
        get { place(of: key).map { members[$0].value } }
        set {
            if let at = place(of: key) {
                if let newValue {
                    members[at].value = newValue
                } else {
                    members.remove(at: at)
                    indexIfLarge()
                }
            } else if let newValue {
                members.append(Member(key: key, value: newValue))
                if places == nil { indexIfLarge() } else { places?[ExactString(key)] = members.count - 1 }
            }
        }
    }

    private func place(of key: String) -> Int? {
        places.map { $0[ExactString(key)] } ?? members.firstIndex { $0.key.isExactly(key) }
    }

    private mutating func indexIfLarge() {
        places = nil
        guard members.count > Self.fewMembers else { return }
        places = Dictionary(
            members.enumerated().map { (ExactString($1.key), $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }
}

extension JSONObject: Hashable {
    /// Equal if the same keys have equal values, in whatever order.
    package static func == (a: JSONObject, b: JSONObject) -> Bool {
        guard a.count == b.count else { return false }
        for (x, y) in zip(a.members, b.members) {
            if x.key.isExactly(y.key) {
                if x.value != y.value { return false }
            } else if b[x.key] != x.value {
                return false
            }
        }
        // With unique keys and equal counts, every member of `a` found in `b` is enough.
        return true
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        var sum = 0
        for member in members {
            var own = Hasher()
            own.combine(ExactString(member.key))
            own.combine(member.value)
            sum &+= own.finalize()
        }
        hasher.combine(sum)
    }
}

extension JSONObject: Sequence {
    package func makeIterator() -> IndexingIterator<[Member]> { members.makeIterator() }
}
