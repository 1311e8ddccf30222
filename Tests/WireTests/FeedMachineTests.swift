import JSON
import Replication
import Testing
import Wire

@Suite("One feed machine")
struct FeedMachineTests {
    private func machine(own: String = "aa") -> FeedMachine {
        FeedMachine(book: "book", ownDevice: own, peerDevice: "bb")
    }

    /// A machine that the peer follows from 0, with a feed up to `head`.
    private func followed(head: UInt64) throws -> (FeedMachine, [FeedAction]) {
        var machine = machine()
        let asked = try machine.received(.follow(book: "book", after: nil))
        #expect(asked == [.checkFollow(after: nil)])
        let actions = machine.peerFollows(after: nil, known: false, head: head)
        return (machine, actions)
    }

    private func row(_ seq: UInt64, bytes: Int? = 100) -> FeedRow {
        FeedRow(
            position: FeedPosition(seq: seq, mark: seq * 7),
            record: bytes.map { SizedRecord(uid: UID("u\(seq)"), form: .value(.number(seq)), bytes: $0) }
        )
    }

    private func read(_ after: UInt64) -> FeedAction {
        .read(after: after, rows: WireLimits.batchRows, bytes: WireLimits.batchBytes)
    }

    private func batch(_ from: UInt64, _ to: UInt64, _ records: [UInt64], remaining: Int) -> Message {
        .batch(
            Batch(
                book: "book",
                from: from,
                to: FeedPosition(seq: to, mark: to * 7),
                records: records.map { .value(.number($0)) },
                remaining: remaining
            )
        )
    }

    @Test("an empty feed is current at once, and says so once")
    func empty() throws {
        var (machine, actions) = try followed(head: 0)
        #expect(actions == [.send(.current(book: "book", at: 0))])
        #expect(machine.headMoved(0).isEmpty)
        #expect(machine.toSend == 0)
    }

    @Test("a batch names where the one before ended, and where it ends itself")
    func outgoing() throws {
        var (machine, actions) = try followed(head: 3)
        #expect(actions == [read(0)])
        #expect(machine.toSend == 3)
        actions = machine.read([row(1), row(2, bytes: nil)], reached: 2, remaining: 1)
        #expect(actions == [.send(batch(0, 2, [1], remaining: 1)), read(2)])
        actions = machine.read([row(3)], reached: 3, remaining: 0)
        #expect(actions == [.send(batch(2, 3, [3], remaining: 0))])
        #expect(machine.toSend == 2)
        #expect(throws: WireError.self) { _ = try machine.received(.ack(book: "book", seq: 3)) }
        #expect(try machine.received(.ack(book: "book", seq: 2)).isEmpty)
        #expect(try machine.received(.ack(book: "book", seq: 3)).isEmpty)
        #expect(machine.toSend == 0)
        #expect(throws: WireError.self) { _ = try machine.received(.ack(book: "book", seq: 3)) }
        #expect(throws: WireError.self) { _ = try machine.received(.follow(book: "book", after: nil)) }
    }

    @Test("a checkpoint may be known before the commit that it names was told")
    func earlyCheckpoint() throws {
        var machine = machine()
        let checkpoint = FeedPosition(seq: 9, mark: 63)
        _ = try machine.received(.follow(book: "book", after: checkpoint))
        let actions = machine.peerFollows(after: checkpoint, known: true, head: 8)
        #expect(actions == [.send(.current(book: "book", at: 9))])
        let told = machine.headMoved(9)
        #expect(told.isEmpty)
    }

    @Test("rows for others move nothing, but 512 of them move the checkpoint")
    func skipped() throws {
        var (machine, actions) = try followed(head: 600)
        var after: UInt64 = 0
        for size in [256, 255] as [UInt64] {
            let rows = (after + 1...after + size).map { row($0, bytes: nil) }
            after += size
            actions = machine.read(rows, reached: after, remaining: 600 - Int(after))
            #expect(actions == [read(after)])
        }
        actions = machine.read([row(512, bytes: nil)], reached: 512, remaining: 88)
        #expect(actions == [.send(batch(0, 512, [], remaining: 88)), read(512)])
        actions = machine.read((513...600).map { row($0, bytes: nil) }, reached: 600, remaining: 0)
        #expect(actions == [.send(.current(book: "book", at: 512))])
        actions = machine.headMoved(601)
        #expect(actions == [read(600)])
        actions = machine.read([row(601)], reached: 601, remaining: 0)
        #expect(actions == [.send(batch(512, 601, [601], remaining: 0))])
    }

    @Test(
        "at most four batches, or 4 MiB, wait for their acknowledgement",
        arguments: [100, 1_000_000, 3_000_000]
    )
    func window(bytes: Int) throws {
        let most = bytes == 3_000_000 ? 2 : WireLimits.windowBatches
        var (machine, actions) = try followed(head: 10)
        for seq in 1...UInt64(most) {
            #expect(actions.last == read(seq - 1))
            actions = machine.read([row(seq, bytes: bytes)], reached: seq, remaining: 10 - Int(seq))
        }
        #expect(actions.count == 1)
        #expect(machine.headMoved(11).isEmpty)
        #expect(try machine.received(.ack(book: "book", seq: 1)) == [read(UInt64(most))])
    }

    @Test("a window is open below its bytes, and full at them", arguments: [-1, 0, 1])
    func windowEdge(beyond: Int) throws {
        var (machine, _) = try followed(head: 10)
        let actions = machine.read(
            [row(1, bytes: WireLimits.windowBytes + beyond)],
            reached: 1,
            remaining: 9
        )
        #expect(actions.contains(read(1)) == (beyond < 0))
    }

    @Test("a record of too many values is named and not sent", arguments: [-1, 0, 1])
    func values(beyond: Int) throws {
        // The list itself is a value too.
        let count = WireLimits.recordValues + beyond
        let value = JSONValue.array(Array(repeating: .null, count: count - 1))
        let (uid, text) = (UID("u1"), JSONWriter.bytes(value))
        for form in [RecordForm.value(value), .text(text)] {
            var (machine, _) = try followed(head: 1)
            let actions = machine.read(
                [
                    FeedRow(
                        position: FeedPosition(seq: 1, mark: 7),
                        record: SizedRecord(uid: uid, form: form, bytes: text.count)
                    )
                ],
                reached: 1,
                remaining: 0
            )
            #expect(actions.contains(.tooLarge(uid, bytes: text.count)) == (beyond > 0))
        }
    }

    @Test("a record that no frame carries is named, and the feed goes on")
    func tooLarge() throws {
        var (machine, _) = try followed(head: 2)
        let bytes = WireLimits.recordBytes
        let actions = machine.read(
            [row(1, bytes: bytes + 1), row(2, bytes: bytes)],
            reached: 2,
            remaining: 0
        )
        #expect(
            actions == [.tooLarge(UID("u1"), bytes: bytes + 1), .send(batch(0, 2, [2], remaining: 0))]
        )
    }

    @Test("what arrives is committed, then acknowledged, in order")
    func incoming() throws {
        var machine = machine()
        let checkpoint = FeedPosition(seq: 5, mark: 35)
        #expect(machine.start(checkpoint: checkpoint) == [.send(.follow(book: "book", after: checkpoint))])
        #expect(machine.toReceive == nil)
        guard case .apply(let first)? = try machine.received(batch(5, 8, [6, 8], remaining: 1)).first,
            case .apply(let second)? = try machine.received(batch(8, 9, [9], remaining: 0)).first
        else {
            Issue.record("not applied")
            return
        }
        #expect(first.position == FeedPosition(seq: 8, mark: 56) && first.records == [.value(6), .value(8)])
        #expect(machine.toReceive == 3)
        #expect(machine.committed(first.ticket) == [.send(.ack(book: "book", seq: 8))])
        #expect(machine.committed(second.ticket) == [.send(.ack(book: "book", seq: 9))])
        #expect(machine.toReceive == 0)
    }

    @Test("a batch that does not continue the last one is a gap; only the first answer may begin anew")
    func gaps() throws {
        func following(_ seq: UInt64) -> FeedMachine {
            var machine = machine()
            _ = machine.start(checkpoint: FeedPosition(seq: seq, mark: 1))
            return machine
        }
        var anew = following(5)
        _ = try anew.received(batch(0, 3, [3], remaining: 1))
        #expect(throws: WireError.gap(book: "book", expected: 3, got: 0)) {
            _ = try anew.received(batch(0, 4, [4], remaining: 0))
        }
        var empty = following(5)
        _ = try empty.received(.current(book: "book", at: 0))
        #expect(empty.toReceive == 0)
        _ = try empty.received(batch(0, 1, [1], remaining: 0))
        for (from, to) in [(4, 9), (6, 9)] as [(UInt64, UInt64)] {
            var other = following(5)
            #expect(throws: WireError.gap(book: "book", expected: 5, got: from)) {
                _ = try other.received(batch(from, to, [], remaining: 0))
            }
        }
        var backwards = following(5)
        #expect(throws: WireError.self) { _ = try backwards.received(batch(5, 5, [], remaining: 0)) }
        var notFollowed = machine()
        #expect(throws: WireError.self) { _ = try notFollowed.received(batch(0, 1, [], remaining: 0)) }
    }

    @Test("a peer that ignores the window is closed")
    func flood() throws {
        var machine = machine()
        _ = machine.start(checkpoint: nil)
        for seq in 0..<UInt64(WireLimits.deliveriesWaiting) {
            _ = try machine.received(batch(seq, seq + 1, [1], remaining: 1))
            #expect(machine.isFull == (seq + 1 > 2 * UInt64(WireLimits.windowBatches)))
        }
        let last = UInt64(WireLimits.deliveriesWaiting)
        #expect(throws: WireError.tooMany(.batch, limit: WireLimits.deliveriesWaiting)) {
            _ = try machine.received(batch(last, last + 1, [1], remaining: 1))
        }
    }

    @Test("a peer is left unread while more bytes of it wait for a commit than may", arguments: [-1, 0, 1])
    func uncommitted(beyond: Int) throws {
        var machine = machine()
        _ = machine.start(checkpoint: nil)
        let half = WireLimits.uncommittedBytes / 2
        _ = try machine.received(batch(0, 1, [1], remaining: 1), bytes: half)
        #expect(!machine.isFull)
        _ = try machine.received(
            batch(1, 2, [1], remaining: 1),
            bytes: WireLimits.uncommittedBytes - half + beyond
        )
        #expect(machine.isFull == (beyond > 0))
    }

    @Test("lists, answers and heals out of turn are refused")
    func outOfTurn() {
        let list = BucketList(book: "book", purpose: .heal, isAnswer: false, buckets: [1], entries: [])
        let answer = BucketList(book: "book", purpose: .heal, isAnswer: true, buckets: [1], entries: [])
        let messages: [Message] = [
            .list(list), .list(answer),
            .heal(Heal(book: "book", isAnswer: false, records: [], isLast: true)),
            .heal(Heal(book: "book", isAnswer: true, records: [.value(1)], isLast: false)),
        ]
        for message in messages {
            var machine = machine()
            #expect(throws: WireError.self) { _ = try machine.received(message) }
        }
    }

    /// A machine that is caught up with an empty peer.
    private func caughtUp(own: String) throws -> (FeedMachine, [FeedAction]) {
        var machine = machine(own: own)
        _ = machine.start(checkpoint: nil)
        _ = try machine.received(.follow(book: "book", after: nil))
        _ = machine.peerFollows(after: nil, known: false, head: 0)
        #expect(!machine.isCaughtUp)
        let actions = try machine.received(.current(book: "book", at: 0))
        #expect(machine.isCaughtUp)
        return (machine, actions)
    }

    @Test("only the smaller device ID begins to compare, after a rest")
    func whoBegins() throws {
        let total = ContentHash(high: 1, low: 2)
        var (smaller, actions) = try caughtUp(own: "aa")
        #expect(actions == [.startRestTimer])
        #expect(smaller.digestDue(total) == [.send(.digest(book: "book", total: total))])
        #expect(try smaller.received(.equal(book: "book", total: total)).isEmpty)
        #expect(smaller.isProvenEqual)
        _ = smaller.headMoved(1)
        #expect(!smaller.isProvenEqual)

        (smaller, actions) = try caughtUp(own: "cc")
        #expect(actions.isEmpty)
        #expect(try smaller.received(.digest(book: "book", total: total)) == [.readTotal])
        #expect(smaller.totalRead(total) == [.send(.equal(book: "book", total: total))])
        #expect(smaller.isProvenEqual)
    }

    @Test("an answer to a total that is no longer ours proves nothing")
    func lateEqual() throws {
        let total = ContentHash(high: 1, low: 2)
        var (machine, _) = try caughtUp(own: "aa")
        _ = machine.digestDue(total)
        _ = machine.headMoved(1)
        _ = machine.read([row(1, bytes: nil)], reached: 1, remaining: 0)
        _ = try machine.received(.equal(book: "book", total: total))
        #expect(machine.isCaughtUp && !machine.isProvenEqual)
    }

    @Test("who is not caught up when a digest comes sends one later")
    func owed() throws {
        let total = ContentHash(high: 1, low: 2)
        var (machine, _) = try caughtUp(own: "cc")
        #expect(machine.headMoved(1) == [read(0)])
        #expect(try machine.received(.digest(book: "book", total: total)).isEmpty)
        #expect(machine.read([row(1, bytes: nil)], reached: 1, remaining: 0) == [.startRestTimer])
        #expect(machine.digestDue(total) == [.send(.digest(book: "book", total: total))])
    }

    @Test("no more than sixteen verifications wait")
    func verifications() {
        var machine = machine()
        for id in 0..<UInt64(WireLimits.verifiesWaiting) { #expect(machine.verify(id: id)?.isEmpty == true) }
        #expect(machine.verify(id: 99) == nil)
    }
}
