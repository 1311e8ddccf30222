import Foundation
import JSON
import Replication
import Wire

/// Messages that may be said, but not so.
extension Behaviour {
    private static let book = Machine.book
    private static let lie = ContentHash(high: 1, low: 2)

    private static func contact(_ n: Int) -> JSONValue {
        RecordCoding.encode(Attack.contact("feed-\(n)", name: "Feed \(n)"))
    }

    static let feeds: [Behaviour] = [
        Behaviour("following twice", ends: "followed already") { attack in
            let peer = try attack.loggedIn()
            for _ in 0..<2 { peer.send(.follow(book: book, after: nil)) }
            return peer
        },
        Behaviour("a batch that leaves a gap", ends: "a gap in the feed") { attack in
            let peer = try attack.loggedIn()
            peer.send(records: [], from: 5, to: 6)
            return peer
        },
        Behaviour("a second batch that does not continue the first", ends: "a gap in the feed") { attack in
            let peer = try attack.loggedIn()
            peer.send(records: [], from: 0, to: 10)
            peer.send(records: [], from: 9, to: 11)
            return peer
        },
        Behaviour("batches in the wrong order", ends: "a gap in the feed") { attack in
            let peer = try attack.loggedIn()
            peer.send(records: [], from: 10, to: 20)
            peer.send(records: [], from: 0, to: 10)
            return peer
        },
        Behaviour("a batch that ends before it begins", ends: "ends where it begins") { attack in
            let peer = try attack.loggedIn()
            peer.send(records: [], from: 0, to: 0)
            return peer
        },
        Behaviour("a sequence number beyond all", ends: "batch: ") { attack in
            let peer = try attack.loggedIn()
            let position = #"{"seq":9223372036854775808,"mark":"0000000000000007"}"#
            peer.send(.batch, #"{"book":"\#(book)","from":0,"to":\#(position),"remaining":0,"records":[]}"#)
            return peer
        },
        Behaviour("a negative count", ends: "batch: ") { attack in
            let peer = try attack.loggedIn()
            let position = #"{"seq":1,"mark":"0000000000000007"}"#
            peer.send(.batch, #"{"book":"\#(book)","from":0,"to":\#(position),"remaining":-1,"records":[]}"#)
            return peer
        },
        Behaviour("as many rows remaining as a number can say") { attack in
            let peer = try attack.loggedIn()
            peer.send(records: [contact(0)], to: UInt64(Int64.max), remaining: Int(Int64.max))
            try peer.waitAcknowledged(UInt64(Int64.max))
            return nil
        },
        Behaviour("an ack from the future", ends: "is not the batch that waits") { attack in
            let peer = try attack.loggedIn()
            peer.send(.ack(book: book, seq: 1 << 40))
            return peer
        },
        Behaviour("a checkpoint from the future") { attack in
            let peer = try attack.loggedIn()
            peer.send(.follow(book: book, after: FeedPosition(seq: UInt64(Int64.max), mark: 1)))
            guard case .batch(let batch)? = peer.next(where: { $0.kind == .batch }), batch.from == 0 else {
                throw Failure("the feed does not begin anew: \(peer.ending ?? "no batch")")
            }
            return nil
        },
        Behaviour("current where it is not", ends: "a gap in the feed") { attack in
            let peer = try attack.loggedIn()
            peer.send(.current(book: book, at: 77))
            return peer
        },
        Behaviour("a book that is not shared") { attack in
            let peer = try attack.loggedIn(books: ["secret", book])
            peer.send(.follow(book: "secret", after: nil))
            for n in 0..<100 { peer.send(.ack(book: "../secret", seq: UInt64(n))) }
            peer.send(records: [contact(1)])
            try peer.waitAcknowledged()
            return nil
        },
        Behaviour("more records in a batch than anyone packs", ends: "more than \(WireLimits.recordsTaken)") {
            attack in
            let peer = try attack.loggedIn()
            peer.send(records: (0...WireLimits.recordsTaken).map { _ in .null })
            return peer
        },
        Behaviour("batches that wait for no ack") { attack in
            let peer = try attack.loggedIn()
            for n in 0..<400 {
                guard peer.send(records: [contact(n % 50)], from: UInt64(n), to: UInt64(n + 1)) else { break }
            }
            return nil
        },
        Behaviour("digests that lie, again and again") { attack in
            let peer = try attack.loggedIn()
            _ = try peer.records()
            peer.send(.current(book: book, at: 0))
            for n in 0..<100 { peer.send(.digest(book: book, total: ContentHash(high: UInt64(n), low: 0))) }
            waitALittle(0.3)
            return nil
        },
        Behaviour("a list that nobody asked for", ends: "no sums were sent for it") { attack in
            let peer = try attack.loggedIn()
            peer.send(
                .list(BucketList(book: book, purpose: .heal, isAnswer: false, buckets: [1], entries: []))
            )
            return peer
        },
        Behaviour("an answer for buckets that were not listed", ends: "list out of turn") { attack in
            let peer = try attack.loggedIn()
            peer.send(
                .buckets(BucketSums(book: book, purpose: .heal, sums: .init(repeating: lie, count: 4096)))
            )
            _ = peer.next { $0.kind == .list }
            peer.send(
                .list(BucketList(book: book, purpose: .heal, isAnswer: true, buckets: [4095], entries: []))
            )
            return peer
        },
        Behaviour("records in a heal that nobody asked for", ends: "no comparison is open") { attack in
            let peer = try attack.loggedIn()
            peer.send(.heal(Heal(book: book, isAnswer: false, records: [.value(contact(2))], isLast: false)))
            return peer
        },
        // A daemon that is slow enough works all of them off; what is too fast is for the tests of the pace.
        Behaviour("asking for comparisons in a loop") { attack in
            let peer = try attack.loggedIn()
            let sums = BucketSums(book: book, purpose: .verify, sums: .init(repeating: lie, count: 4096))
            for _ in 0..<2 * WireLimits.comparisonBurst where !peer.send(.buckets(sums)) { break }
            return peer
        },
        Behaviour("refusing everything, again and again") { attack in
            let peer = try attack.loggedIn()
            let uids = (0..<20_000).map { UID("refused-\($0)") }
            for _ in 0..<10 { peer.send(.refused(book: book, uids: uids, isReadOnly: false)) }
            return nil
        },
        Behaviour("a flood of small messages") { attack in
            let peer = try attack.loggedIn()
            let one = try FrameEncoder(compression: nil).encode(.equal(book: book, total: lie))
            let hundred = [[UInt8]](repeating: one, count: 100).flatMap(\.self)
            for _ in 0..<10 * WireLimits.messageBurst / 100 {
                guard peer.ending == nil, peer.send(plain: hundred) else { break }
            }
            return peer
        },
        Behaviour("the same batch from the beginning, in five connections") { attack in
            for _ in 0..<5 {
                let peer = try attack.loggedIn()
                peer.send(records: (0..<20).map(contact))
                try peer.waitAcknowledged()
            }
            return nil
        },
    ]
}

extension HostilePeer {
    /// The next message that fits; nil if none comes in time.
    func next(where fits: (Message) -> Bool) -> Message? {
        while let message = next() { if fits(message) { return message } }
        return nil
    }
}
