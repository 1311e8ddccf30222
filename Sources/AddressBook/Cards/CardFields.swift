import Contacts
package import JSON
package import Replication

/// A card taken apart into the fields that records hold, and put together again.
///
/// `@type` and `uid` are no fields. An Id map, a keyed map or a set is one field an entry; one that is empty is one
/// whole field, so that it comes back as it was.
package enum CardFields {
    /// The fields of a card in the order of its members.
    package static func split(_ card: JSONObject) -> [(key: FieldKey, value: JSONValue)] {
        var out: [(FieldKey, JSONValue)] = []
        out.reserveCapacity(card.count + 4)
        for member in card where !member.key.isExactly("@type") && !member.key.isExactly("uid") {
            if CardSchema.shape(of: member.key) != .whole, let entries = member.value.object, !entries.isEmpty
            {
                for entry in entries {
                    out.append((FieldKey(member: member.key, entry: entry.key), entry.value))
                }
            } else {
                out.append((FieldKey(member: member.key), member.value))
            }
        }
        return out
    }

    /// The card that shows these fields; the order of members is that of the keys' first appearance.
    package static func join(_ fields: [(key: FieldKey, value: JSONValue)]) -> JSONObject {
        var members: [JSONObject.Member] = []
        // The entries of each member, built up apart: an object that grows member by member is copied each time.
        var maps: [[JSONObject.Member]] = []
        var place: [ExactString: Int] = [:]
        var (last, at) = (FieldKey?.none, 0)
        for (key, value) in fields {
            // The entries of a member mostly stand together.
            if last.map({ !key.isOfMember(of: $0) }) ?? true {
                let name = key.member
                at = place[ExactString(name)] ?? members.count
                if at == members.count {
                    place[ExactString(name)] = at
                    members.append(.init(key: name, value: .object(JSONObject())))
                    maps.append([])
                }
                last = key
            }
            if let entry = key.entry {
                maps[at].append(.init(key: entry, value: value))
            } else {
                members[at].value = value
            }
        }
        // An empty map gives way to the entries that stand beside it.
        for at in members.indices where !maps[at].isEmpty {
            members[at].value = .object(JSONObject(uniqueMembers: maps[at]))
        }
        return JSONObject(uniqueMembers: members)
    }

    private static let updated = FieldKey(member: "updated")
    private static let prodId = FieldKey(member: "prodId")
    private static let vCardProps = FieldKey(member: "vCardProps")
    static let version = FieldKey(member: "version")

    /// Whether a change of this field alone is no edit: `updated`, `version`, and `prodId`, the program that wrote the
    /// card. Of several values the greater counts.
    package static func isBookkeeping(_ key: FieldKey) -> Bool {
        key == updated || key == version || key == prodId
    }

    /// What several values of a field say together, where it is a list of things that stand for themselves
    /// (`vCardProps`, RFC 9555 section 2.15.1): each once, in the order of the values.
    static func united(_ key: FieldKey, _ values: [JSONValue]) -> JSONValue? {
        guard key == vCardProps, values.count > 1 else { return nil }
        var known: Set<ExactString> = []
        var all: [JSONValue] = []
        for value in values {
            guard let list = value.array else { return nil }
            all += list.filter { known.insert(ExactString(JSONWriter.text($0))).inserted }
        }
        return .array(all)
    }

    /// The shape of the member that a field belongs to; a field without an entry is whole whatever its member.
    static func shape(_ key: FieldKey) -> MemberShape {
        key.hasEntry ? CardSchema.shape(of: key.member) : .whole
    }

    /// The hash of what fields say, order and bookkeeping apart; two cards with one hash need no write.
    ///
    /// It is made from the hashes of the fields, which everybody who asks needs besides (a first index takes 3 % fewer
    /// instructions than with the whole card written and hashed once more). As in `join`, an empty map gives way to
    /// the entries that stand beside it.
    package static func contentHash(_ fields: [(key: FieldKey, hash: ContentHash)], _ hash: HashFunction)
        -> ContentHash
    {
        var said = PackedWriter()
        for (key, value) in fields.sorted(by: { $0.key < $1.key }) where !isBookkeeping(key) {
            let isMap = !key.hasEntry && CardSchema.shape(of: key.member) != .whole
            if isMap, fields.contains(where: { $0.key.hasEntry && $0.key.member.isExactly(key.member) }) {
                continue
            }
            said.append(key.text.text)
            said.append(value)
        }
        return hash.hash(said.bytes)
    }
}
