import AddressBook
import Controllers
import JSON
import Replication
import Wire

/// A hostile peer at one of two honest machines; bytes decide what it says, and when.
///
/// It names every record but those of `honest`, so whatever it does, these stay as they are; and the pair, which never
/// hears of it except by its records, stays connected and ends equal.
final class HostileRun {
    static let honest = ["honest-1", "honest-2", "honest-3"]

    var choices: Choices
    let timers = ManualTimers()
    let victim: HonestMachine
    let friend: HonestMachine
    /// The victim's feed to the hostile peer, nil while it is not connected.
    private var feed: FeedController?
    /// What the victim last told it.
    var heard: [Message] = []
    /// Where our feed ended last.
    var cursor: UInt64 = 0
    private var pair: [FeedController] = []
    private var between: [[Message]] = [[], []]

    private static let steps = 100
    /// Device IDs; the victim leads every comparison.
    private static let (victim, friend, hostile) = (
        String(repeating: "a", count: 64), String(repeating: "b", count: 64),
        String(repeating: "c", count: 64)
    )

    init(_ bytes: [UInt8]) {
        choices = Choices(bytes)
        victim = HonestMachine(device: Self.victim, peers: [Self.friend, Self.hostile], timers: timers)
        friend = HonestMachine(device: Self.friend, peers: [Self.victim], timers: timers)
        for (n, uid) in Self.honest.enumerated() { victim.add(uid, "Honest \(n)", "+\(n)") }
        victim.add("target", "Target", "+7")
        pair = [
            victim.feed(of: Self.friend) { [weak self] in
                self?.between[1].append($0)
            } fail: {
                Self.parted($0)
            },
            friend.feed(of: Self.victim) { [weak self] in
                self?.between[0].append($0)
            } fail: {
                Self.parted($0)
            },
        ]
        for feed in pair { feed.start() }
        settle()
    }

    private static func parted(_ reason: String) {
        preconditionFailure("the honest pair is set apart: \(reason)")
    }

    func check() {
        let before = Self.honest.map { victim.list.record(UID($0)) }
        var steps = 0
        while !choices.isEmpty, steps < Self.steps {
            steps += 1
            step()
            settle()
        }
        leave()
        for _ in 0..<20 {
            timers.advance(1000)
            settle()
        }
        precondition(Self.honest.map { victim.list.record(UID($0)) } == before, "honest data is as it was")
        precondition(pair.allSatisfy { $0.isCaughtUp && $0.different.isEmpty }, "the honest pair ends equal")
        if victim.list.held.isEmpty, friend.list.held.isEmpty {
            precondition(
                victim.list.digest.total(Claim.hash) == friend.list.digest.total(Claim.hash),
                "both hold the same"
            )
        }
        for machine in [victim, friend] { checkAnswers(machine) }
    }

    /// What was stored is what is shown, and can be shown.
    private func checkAnswers(_ machine: HonestMachine) {
        let again = machine.reloaded()
        precondition(again.digest.total(Claim.hash) == machine.list.digest.total(Claim.hash), "all is stored")
        precondition(again.index.count == machine.list.index.count, "the same persons are found again")
        for uid in Self.honest + ["target", "x", ""] { _ = again.card(ofPersonWith: UID(uid)) }
        _ = again.conflicts()
        _ = again.duplicates()
        _ = again.trash()
        _ = again.search("a")
    }

    private func step() {
        switch choices.below(16) {
        case 0..<5: send(batch())
        case 5:
            send(.heal(Heal(book: HonestMachine.book, isAnswer: flip(), records: records(), isLast: flip())))
        case 6: send(.follow(book: HonestMachine.book, after: flip() ? nil : position()))
        case 7: send(.ack(book: HonestMachine.book, seq: number()))
        case 8: send(.current(book: HonestMachine.book, at: flip() ? cursor : number()))
        case 9: send(.digest(book: HonestMachine.book, total: total()))
        case 10: send(.buckets(sums()))
        case 11: send(.list(list()))
        case 12: send(.refused(book: HonestMachine.book, uids: [UID(uid()), UID(uid())], isReadOnly: flip()))
        case 13: timers.advance(UInt64(choices.below(8)) * 100)
        case 14: victim.add("target", "Target \(choices.below(4))", "+7\(choices.below(4))")
        default: leave()
        }
    }

    private func send(_ message: Message) {
        // As it would arrive: what cannot be a message is refused before.
        guard
            let read = try? Message.decode(Frame(kind: message.kind, payload: message.payload))
        else { return leave() }
        if feed == nil {
            cursor = 0
            let new = victim.feed(of: Self.hostile) { [weak self] in
                self?.heard.append($0)
            } fail: {
                [weak self] _ in
                self?.leave()
            }
            feed = new
            new.start()
        }
        feed?.received(read)
        if case .batch(let batch) = read { cursor = batch.to.seq }
    }

    private func leave() {
        feed?.close()
        feed = nil
        heard = []
    }

    /// Lets the pair talk until nothing is left to say.
    private func settle() {
        for _ in 0..<1000 {
            for machine in [victim, friend] { machine.turn() }
            guard let at = between.indices.first(where: { !between[$0].isEmpty }) else { return }
            let messages = between[at]
            between[at] = []
            for message in messages { pair[at].received(message) }
        }
        preconditionFailure("the honest pair does not come to rest")
    }
}
