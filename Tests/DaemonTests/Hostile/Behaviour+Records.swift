import Foundation
import JSON
import Replication
import Wire

/// Records that no honest machine writes.
extension Behaviour {
    /// Sends records as they are given and waits until they are committed.
    private static func taken(_ attack: Attack, _ texts: [String]) throws -> HostilePeer {
        let peer = try attack.loggedIn()
        peer.send(.batch, Attack.batch(texts))
        try peer.waitAcknowledged()
        return peer
    }

    private static func taken(_ attack: Attack, _ records: [Record]) throws -> HostilePeer {
        try taken(attack, records.map { String(decoding: RecordCoding.bytes($0), as: UTF8.self) })
    }

    private static func refused(_ attack: Attack, _ texts: [String]) throws -> HostilePeer {
        let peer = try attack.loggedIn()
        peer.send(.batch, Attack.batch(texts))
        return peer
    }

    private static func target(_ attack: Attack, of peer: HostilePeer) throws -> Record {
        guard let record = try peer.records().first(where: { $0.uid == attack.target }) else {
            throw Failure("the target is not in the book")
        }
        return record
    }

    private static func text(_ record: Record) -> String {
        String(decoding: RecordCoding.bytes(record), as: UTF8.self)
    }

    static let records: [Behaviour] = [
        Behaviour("a counter of 2^53", ends: "2^53") { attack in
            try refused(
                attack,
                [
                    #"{"uid":"c","seen":[["00000000000000aa",9007199254740992]],"sessions":["s"],"fields":{}}"#
                ]
            )
        },
        Behaviour("a counter beyond 64 bits", ends: "seen") { attack in
            try refused(
                attack,
                [
                    #"{"uid":"c","seen":[["00000000000000aa",99999999999999999999]],"sessions":[],"fields":{}}"#
                ]
            )
        },
        Behaviour("records that are none", ends: "a record that is none") { attack in
            try refused(attack, ["7"])
        },
        Behaviour("a dot that was never seen", ends: "a dot that was not seen") { attack in
            try refused(
                attack,
                [
                    #"{"uid":"c","seen":[["00000000000000aa",1]],"sessions":["s"],"fields":{"x":[[0,2,9,0,1]]}}"#
                ]
            )
        },
        Behaviour("versions out of order", ends: "out of order") { attack in
            try refused(
                attack,
                [
                    """
                    {"uid":"c","seen":[["00000000000000aa",2]],"sessions":["s"],
                    "fields":{"x":[[0,2,9,0,1],[0,1,9,0,1]]}}
                    """
                ]
            )
        },
        Behaviour("a uid longer than any", ends: "uid has more than") { attack in
            try refused(attack, [Attack.odd("x", "1", uid: String(repeating: "u", count: 5000))])
        },
        Behaviour("more fields than a contact has", ends: "fields") { attack in
            let fields = (1...RecordLimits.fields + 1).map { "\"f\($0)\":[[0,1,9,0,1]]" }.joined(
                separator: ","
            )
            return try refused(
                attack,
                [#"{"uid":"c","seen":[["00000000000000aa",1]],"sessions":["s"],"fields":{\#(fields)}}"#]
            )
        },
        Behaviour("a field of a thousand versions and one", ends: "versions") { attack in
            let versions = (1...RecordLimits.versionsOfField + 1).map { "[0,\($0),9,0,1]" }.joined(
                separator: ","
            )
            return try refused(
                attack,
                [
                    #"{"uid":"c","seen":[["00000000000000aa",9999]],"sessions":["s"],"fields":{"x":[\#(versions)]}}"#
                ]
            )
        },
        Behaviour("making a contact grow, a thousand versions at a time") { attack in
            let peer = try attack.loggedIn()
            for n in 1...3 {
                let replica = ReplicaID(UInt64(n)).hex
                let versions = (1...RecordLimits.versionsOfField).map { "[0,\($0),9,0,\"\(n).\($0)\"]" }
                peer.send(
                    .batch,
                    """
                    {"book":"\(Machine.book)","from":\(n - 1),"to":{"seq":\(n),"mark":"0000000000000007"},
                    "remaining":0,"records":[{"uid":"growing","seen":[["\(replica)",9999]],"sessions":["s"],
                    "fields":{"x":[\(versions.joined(separator: ","))]}}]}
                    """
                )
                try peer.waitAcknowledged(UInt64(n))
            }
            return nil
        },
        Behaviour("knowing more of the daemon than it gave out") { attack in
            let peer = try attack.loggedIn()
            peer.send(records: [
                RecordCoding.encode(Attack.contact("own", name: "Own Dots", replica: peer.start.bits)),
                RecordCoding.encode(
                    Attack.contact("own", name: "Own Dots", replica: peer.start.bits, time: 1 << 58)
                ),
            ])
            var record = Record(uid: UID("own-2"))
            record.seen = VersionVector([peer.start: RecordLimits.counter - 1])
            peer.send(records: [RecordCoding.encode(record)], from: 1, to: 2)
            try peer.waitAcknowledged(2)
            return nil
        },
        Behaviour("the same until nothing is taken any more", ends: "for more than") { attack in
            var last: HostilePeer?
            for n in 0..<20 {
                let peer = try attack.loggedIn()
                last = peer
                var record = Attack.contact("own-\(n)", name: "Own Dots", replica: peer.start.bits)
                record.seen = VersionVector([peer.start: RecordLimits.counter - 1])
                peer.send(records: [RecordCoding.encode(record)])
                guard (try? peer.waitAcknowledged()) != nil else { break }
            }
            return last
        },
        Behaviour("replayed dots with other values") { attack in
            let peer = try attack.loggedIn()
            let record = try target(attack, of: peer)
            var text = text(record)
            text = text.replacing("Target", with: "Forged")
            peer.send(.batch, Attack.batch([text]))
            try peer.waitAcknowledged()
            return nil
        },
        Behaviour("a dot of another replica that it never gave out") { attack in
            let peer = try attack.loggedIn()
            var record = try target(attack, of: peer)
            guard let replica = record.seen.counters.keys.first else {
                throw Failure("nobody wrote the target")
            }
            record.put(
                FieldKey(member: "notes", entry: "n1"),
                Version(time: HybridTime(bits: 1 << 58), session: "x", value: ["note": "not by me"]),
                dot: Dot(replica: replica, counter: RecordLimits.counter - 1),
                over: []
            )
            peer.send(records: [RecordCoding.encode(record)])
            try peer.waitAcknowledged()
            return nil
        },
        Behaviour("a clock at the end of time") { attack in
            try taken(attack, [Attack.contact("late", name: "From the Future", time: .max)])
        },
        Behaviour("one uid twice in a batch") { attack in
            try taken(
                attack,
                [Attack.contact("twice", name: "Once"), Attack.contact("twice", name: "Twice")]
            )
        },
        Behaviour("names and uids that look like paths") { attack in
            try taken(
                attack,
                [
                    "../../escaped", "/tmp/escaped", "a/../../escaped", ".", "..", ".hidden", "x\u{0}y", "~",
                    "con\n",
                ]
                .map { Attack.contact($0, name: $0) }
            )
        },
        Behaviour("the names of files that are ours and of links") { attack in
            try taken(
                attack,
                [".contactsync", "Linked", "linked.json", ".contactsync-x.tmp", "Target"].map {
                    Attack.contact("file-\($0)", name: $0)
                }
            )
        },
        Behaviour("wrong types for everything a card has") { attack in
            let wrong = ["7", "null", "true", "[]", "{}", "[[[]]]", #"{"":{"":null}}"#, #""x""#]
            let fields = [
                "name", "kind", "phones/p1", "phones/", "emails/e1", "addresses/a", "nicknames/n",
                "keywords/k",
                "members/m", "localizations/de", "updated", "version", "@alive", "@deleted", "@same/x",
                "@distinct/y", "organizations/o", "photos", "notes/n", "language", "titles/t", "media/m", "~",
                "/",
            ]
            return try taken(
                attack,
                fields.flatMap { field in
                    wrong.enumerated().map { n, value in
                        Attack.odd(field, value, uid: "odd-\(field)-\(n)")
                    }
                }
            )
        },
        Behaviour("patches of nothing, and of everything") { attack in
            let patch = #"{"de":{"name/full":"x","phones/p1":null,"":{},"//":1,"a/b/c/d":2,"~":3,"name":7}}"#
            return try taken(
                attack,
                [Attack.odd("localizations", patch, uid: "patched")]
                    + (0..<3).map { Attack.odd("localizations/l\($0)", patch, uid: "patched-\($0)") }
            )
        },
        Behaviour("numbers beyond all counting") { attack in
            let long = String(repeating: "9", count: 5000)
            return try taken(
                attack,
                ["1e999999999", "-1e-999999999", long, "0." + long, "-0"].enumerated().map { n, number in
                    Attack.odd("x", #"{"n":\#(number)}"#, uid: "number-\(n)")
                }
            )
        },
        Behaviour("values as deep as a frame may be") { attack in
            let deep = String(repeating: "[", count: 68) + String(repeating: "]", count: 68)
            return try taken(attack, [Attack.odd("x", deep, uid: "deep")])
        },
        Behaviour("the book's own record as a contact") { attack in
            try taken(
                attack,
                [
                    Attack.contact(
                        "",
                        name: "The Book",
                        phone: "+442079460001",
                        more: [
                            (FieldKey(raw: "@shared/+442079460001"), "yes"), (FieldKey(raw: "@shared/"), [:]),
                            (FieldKey(raw: "@shared/x"), 7), (.deleted, true),
                        ]
                    )
                ]
            )
        },
        Behaviour("a group of itself, and of all") { attack in
            try taken(
                attack,
                [
                    Attack.contact(
                        "group",
                        name: "Group",
                        more: [(FieldKey(member: "kind"), "group")]
                            + (["group", "", "nobody", attack.target.text]).map {
                                (FieldKey(member: "members", entry: $0), true)
                            }
                    )
                ]
            )
        },
        Behaviour("a name without end, and one that is written backwards") { attack in
            let long = String(repeating: "Ana \u{301}\u{202E}\u{200D}👩‍👩‍👧‍👦 ", count: 5000)
            return try taken(
                attack,
                [
                    Attack.contact("long", name: long),
                    Attack.contact("marks", name: String(repeating: "\u{301}", count: 20_000)),
                ]
            )
        },
        Behaviour("a photo of two megabytes") { attack in
            let photo = String(repeating: "QUJD", count: 1 << 19)
            return try taken(
                attack,
                [
                    Attack.contact(
                        "photo",
                        name: "Photo",
                        more: [
                            (
                                FieldKey(member: "media", entry: "m1"),
                                ["uri": .string("data:image/png;base64," + photo)]
                            )
                        ]
                    )
                ]
            )
        },
        Behaviour("five hundred names on one number") { attack in
            try taken(
                attack,
                (0..<500).map {
                    Attack.contact("shared-\($0)", name: "Name\($0) Family\($0)", phone: "+442079460777")
                }
            )
        },
        Behaviour("a hundred and fifty contacts that are said to be one") { attack in
            try taken(
                attack,
                (0..<150).map { n in
                    Attack.contact(
                        "same-\(1000 + n)",
                        name: "Same \(n)",
                        more: n == 0
                            ? []
                            : [(.same(UID("same-\(1000 + n - 1)")), true), (.same(UID("same-1000")), true)]
                    )
                }
            )
        },
        Behaviour("dropping every contact of the book") { attack in
            let peer = try attack.loggedIn()
            let all = try peer.records().filter { !$0.uid.isBook }
            let gone = all.map { record in
                var empty = Record(uid: record.uid)
                empty.seen = record.seen
                return RecordCoding.encode(empty)
            }
            peer.send(records: gone)
            try peer.waitAcknowledged()
            return nil
        },
    ]
}
