import Foundation
import JSON
import Replication
import Wire

/// What a behaviour has to work with.
struct Attack: Sendable {
    /// Of the daemon that is attacked.
    let port: UInt16
    /// Where a key lies that the daemon lists.
    let key: String
    /// Where a key lies that it does not.
    let strangeKey: String
    /// The uid of a contact that may be harmed: whoever is paired may write.
    let target: UID

    /// Connects, no TLS yet.
    func connected() throws -> HostilePeer { try HostilePeer(key: key, port: port) }

    /// Connects and logs in.
    func loggedIn(books: [String] = [Machine.book]) throws -> HostilePeer {
        let peer = try connected()
        try peer.logIn(books: books)
        return peer
    }

    /// A record as an honest machine would write it, from a replica of its own.
    static func contact(
        _ uid: String,
        name: String,
        phone: String? = nil,
        replica: UInt64 = .random(in: 1 ... .max),
        time: UInt64 = 1 << 57,
        more: [(FieldKey, JSONValue)] = []
    ) -> Record {
        var record = Record(uid: UID(uid))
        var counter: UInt64 = 0
        func put(_ key: FieldKey, _ value: JSONValue, _ phoneKey: String? = nil) {
            counter += 1
            record.put(
                key,
                Version(time: HybridTime(bits: time), session: "hostile", value: value, key: phoneKey),
                dot: Dot(replica: ReplicaID(replica), counter: counter),
                over: []
            )
        }
        put(.alive, true)
        put(FieldKey(member: "name"), ["@type": "Name", "full": .string(name)])
        if let phone { put(FieldKey(member: "phones", entry: "p1"), ["number": .string(phone)], phone) }
        for (key, value) in more { put(key, value) }
        return record
    }

    /// The text of a contact whose one field has any value at all.
    static func odd(_ field: String, _ value: String, uid: String) -> String {
        let alive = field == "@alive" ? "" : #""@alive":[[0,1,9,0,true]],"#
        return """
            {"uid":"\(uid)","seen":[["00000000000000aa",2]],"sessions":["s"],
            "fields":{\(alive)"\(field)":[[0,2,9,0,\(value)]]}}
            """
    }

    /// The text of a batch from the beginning.
    static func batch(_ records: [String], to: UInt64 = 1) -> String {
        """
        {"book":"\(Machine.book)","from":0,"to":{"seq":\(to),"mark":"0000000000000007"},"remaining":0,
        "records":[\(records.joined(separator: ","))]}
        """
    }
}

/// One way of being hostile, broken, or both.
struct Behaviour: Sendable, CustomStringConvertible {
    let name: String
    /// What the daemon's bye says, in part; nil where it need not close, `""` where it closes without a word.
    var reason: String?
    /// What the daemon's log says, in part; nil where it is the reason.
    var logged: String?
    /// Does it, and gives the connection whose end is looked at.
    let body: @Sendable (Attack) throws -> HostilePeer?

    var description: String { name }

    init(
        _ name: String,
        ends reason: String? = nil,
        logs logged: String? = nil,
        _ body: @escaping @Sendable (Attack) throws -> HostilePeer?
    ) {
        self.name = name
        self.reason = reason
        self.logged = logged
        self.body = body
    }

    /// All of them; those that leave much behind come last.
    static let all = connections + frames + logins + feeds + records
}
