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

    package init() { members = [] }

    /// Takes members whose keys the caller knows to be unique (the parser checked it).
    package init(uniqueMembers: [Member]) { members = uniqueMembers }

    package var isEmpty: Bool { members.isEmpty }
    package var count: Int { members.count }

    /// The keys in order.
    package var keys: [String] { members.map(\.key) }

    /// Reads, replaces in place, appends, or (with nil) removes a member.
    package subscript(key: String) -> JSONValue? {
        get { members.first { $0.key.isExactly(key) }?.value }
        set {
            if let at = members.firstIndex(where: { $0.key.isExactly(key) }) {
                if let newValue { members[at].value = newValue } else { members.remove(at: at) }
            } else if let newValue {
                members.append(Member(key: key, value: newValue))
            }
        }
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
        // With unique keys and equal counts, every key of `a` found in `b` is enough; the positions that
        // matched above are found too.
        return a.members.allSatisfy { b[$0.key] != nil }
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
